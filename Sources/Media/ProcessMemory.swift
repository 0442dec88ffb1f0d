internal import CFFmpeg

/// How the memory of the process is kept.
public enum ProcessMemory {
  /// Lets freed pictures return to the system; a program calls it once, before it starts threads.
  public static func returnFreedPictures() {
    cff_return_freed_pictures()
  }
}
