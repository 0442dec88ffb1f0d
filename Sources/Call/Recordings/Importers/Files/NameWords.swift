/// The words of file names that say something other than whose a file is. All are in lower case.
enum NameWords {
  /// What a number after a word counts.
  enum Count {
    /// People, of whom the word is a role.
    case people
    /// Anything.
    case things
  }

  /// What a number after `word` counts; nil where the word may be a name.
  static func count(_ word: String) -> Count? {
    let word = word.lowercased()
    return roles.contains(word) ? .people : things.contains(word) ? .things : nil
  }

  /// What people are called in calls, lessons, interviews and studies.
  private static let roles = words(
    """
    agent attendee caller candidate channel client cohost customer delegate employee endpoint feed
    guest host interviewee interviewer judge kid member moderator p panelist parent participant
    patient peer person player presenter publisher pupil respondent source speaker stream student
    subject subscriber teacher track trainee u user viewer visitor witness

    befragte befragter gast interviewpartner kandidat kandidatin kind kunde kundin lehrer lehrerin
    mitglied nutzer nutzerin patientin proband probandin redner rednerin schüler schülerin spieler
    sprecher sprecherin studentin teilnehmende teilnehmer teilnehmerin zuschauer

    animateur apprenant candidat candidate client élève enfant étudiant étudiante intervenant
    intervenante invité invitée joueur locuteur membre orateur oratrice participante personne
    utilisateur

    alumna alumno anfitrión asistente candidato cliente entrevistado entrevistada estudiante
    huésped invitada invitado jugador locutor miembro oradora orador participante persona ponente
    usuario

    aluna aluno convidada convidado entrevistado estudante hóspede membro palestrante pessoa usuário
    utilizador alunno alunna ospite partecipante paziente relatore studente studentessa utente

    deelnemer gebruiker geïnterviewde leerling persoon spreker deltagare deltager deltaker elev gäst
    gæst gjest talare taler osallistuja vieras

    gość osoba rozmówca uczeń uczestnik uczestniczka účastník žák katılımcı konuk misafir öğrenci
    résztvevő vendég diák
    гость спикер студент ученик участник участница гість учасник
    ゲスト 参加者 学生 生徒 話者 与会者 参会者 参与者 嘉宾 用户 게스트 참가자 학생
    """)

  private static let things = words(
    """
    av1 avc bench call clip file h264 h265 hevc in input out output rec record recording sample
    session test video_call view vp8 vp9 x264 x265 aufnahme aufzeichnung datei enregistrement
    grabación gravação registrazione opname nagranie запись 录制
    """)

  /// What stands before the number of a part.
  static let parts = words("part pt seg segment chunk slice teil partie parte deel del część часть")

  /// Field recorders' words before the numbers of scenes and takes.
  static let takes = words("s sc scene slate t take tk trk").union(fieldRecorders)
  /// Field recorders' names of files.
  static let fieldRecorders = words("tascam zoom")

  /// Words for small copies of other files.
  static let previews = words("lrv proxy")

  /// Words for the direction of a telephone call.
  static let directions = words("in out incoming outgoing inbound outbound")

  /// Words for copies of other files.
  static let copies = words("copy remux remuxed kopie copie copia")

  /// What follows the word for what is recorded: `screen recording`.
  static let recordings = words("capture record recorder recording")

  /// What cameras and phones write before their numbers and times.
  static let cameras = words(
    "cimg dji dsc dscf dscn gopr gp gh gl gx img mah mov movi mvi pxl sam vid wa")
  /// Cameras' words before dates.
  static let datedCameras = words("dji img mvi pxl vid")
  /// Cameras' and wireless microphones' letters right before three digits or more.
  static let clips = cameras.union(["c", "mic"])

  /// Names of folders of cameras' cards, beside the three digits and five letters of DCF.
  private static let cardFolders = words(
    "avchd bdmv clip contents dcim m4root mp_root private stream sub video xdroot")

  /// True for a folder that a camera makes on each card.
  static func isCardFolder(_ name: String) -> Bool {
    let name = name.lowercased()
    return cardFolders.contains(name)
      || name.wholeMatch(of: #/\d{3}[a-z_][a-z0-9_]{4}|dji_\d{3}|camera\d\d/#) != nil
  }

  /// What stands between a date and a time.
  static let at = [
    " at ", "_at_", " um ", " à ", " a las ", " às ", " alle ", " alle ore ", " kl. ", " om ",
    " o ",
    " klo ", " в ", " - ", ", ",
  ]

  /// What says that everyone is in a file.
  static let mixes = words("composed composite gallery mix mixdown mixed")

  /// True if `text` can be a person's name: it has a word that is no kind, number, coding or
  /// identifier.
  static func isName(_ text: String) -> Bool {
    let words = FileNameContext.plain(text, isWhole: false)
    guard text.utf8.count < 200, !words.isEmpty else { return false }
    return words.contains { word in
      let plain = word.lowercased()
      return word.contains(where: \.isLetter) && !SourceWords.isKind(word) && !isCoding(plain)
        && count(plain) != .things && !parts.contains(plain) && !isCamera(plain)
        && !recordings.contains(plain) && !isIdentifier(plain)
        && !titles.contains(plain) && !copies.contains(plain)
    }
  }

  /// True for what cameras write before numbers, and with them.
  private static func isCamera(_ word: String) -> Bool {
    let letters = word.prefix { $0.isLetter }
    let digits = word.utf8.count - letters.utf8.count
    return (digits == 0 ? cameras : clips).contains(String(letters))
      && (digits == 0 || (3...9).contains(digits))
      && word.dropFirst(letters.count).allSatisfy(\.isNumber)
  }

  /// True for words that identify something for programs: hexadecimal digits, or letters and digits
  /// mixed.
  static func isIdentifier(_ word: String) -> Bool {
    // Reels and clips of cinema cameras are counted.
    if (8...10).contains(word.utf8.count),
      word.lowercased().wholeMatch(of: #/[a-z]\d{3,4}c\d{3,4}/#) != nil
    {
      return false
    }
    let digits = word.utf8.count { (48...57).contains($0) }
    if digits == word.utf8.count { return digits > 4 }
    if digits > 0, word.utf8.count >= 8, word.allSatisfy(\.isHexDigit) { return true }
    let changes = zip(word, word.dropFirst()).count { $0.isNumber != $1.isNumber }
    return digits > 1 && changes > 2 && word.utf8.count > 5
  }

  /// `1280x720`, `720p`, `30fps` or a codec.
  static func isCoding(_ word: String) -> Bool {
    let word = word.lowercased()
    func isNumber(_ text: Substring) -> Bool {
      !text.isEmpty && text.utf8.count < 6 && text.utf8.allSatisfy { (48...57).contains($0) }
    }
    let sides = word.split(separator: "x", omittingEmptySubsequences: false)
    let unit = ["fps", "p"].first(where: word.hasSuffix)
    return codecs.contains(word) || sides.count == 2 && sides.allSatisfy(isNumber)
      || unit.map { isNumber(word.dropLast($0.count)) } ?? false
  }

  private static let codecs = words(
    "aac av1 avc flac h264 h265 hevc mp3 opus pcm vorbis vp8 vp9 x264 x265")

  /// Words of stream titles that are no names.
  private static let titles = words(
    """
    handler left right eye depth main stereo mono surround default track untitled english commentary
    videohandler soundhandler core media apple alias data mainconcept mic/aux aux desktop
    """)

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}
