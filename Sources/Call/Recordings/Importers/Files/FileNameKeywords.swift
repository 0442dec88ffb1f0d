/// Dictionaries of words in file names that do not name a participant. All words are in lower case.
enum FileNameKeywords {
  /// The meaning of a number after a word.
  enum NumberMeaning {
    /// The number counts people; the word is a role.
    case people
    /// The number may count anything.
    case things
  }

  /// Returns the meaning of a number after `word`; `nil` if the word may be a name.
  static func count(_ word: String) -> NumberMeaning? {
    let word = word.lowercased()
    return roles.contains(word) ? .people : things.contains(word) ? .things : nil
  }

  /// Roles of people in calls, lessons, interviews and studies.
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

  /// Words before the number of a part.
  static let parts = words("part pt seg segment chunk slice teil partie parte deel del część часть")

  /// Words of field recorders before the numbers of scenes and takes.
  static let takes = words("s sc scene slate t take tk trk").union(fieldRecorders)
  /// Prefixes of files from field recorders.
  static let fieldRecorders = words("tascam zoom")

  /// Words for small copies of other files.
  static let previews = words("lrv proxy")

  /// Words for the direction of a telephone call.
  static let directions = words("in out incoming outgoing inbound outbound")

  /// Words for copies of other files.
  static let copies = words("copy remux remuxed kopie copie copia")

  /// Words that may follow a kind, as in `screen recording`.
  static let recordings = words("capture record recorder recording")

  /// Words that cameras and phones write before numbers and times.
  static let cameras = words(
    "cimg dji dsc dscf dscn gopr gp gh gl gx img mah mov movi mvi pxl sam vid wa")
  /// Words that cameras write before dates.
  static let datedCameras = words("dji img mvi pxl vid")
  /// Prefixes of cameras and wireless microphones directly before three or more digits.
  static let clips = cameras.union(["c", "mic"])

  /// Folders on camera cards, besides DCF's three digits and five letters.
  private static let cardFolders = words(
    "avchd bdmv clip contents dcim m4root mp_root private stream sub video xdroot")

  /// True for a folder that cameras create on each card.
  static func isCardFolder(_ name: String) -> Bool {
    let name = name.lowercased()
    return cardFolders.contains(name)
      || name.wholeMatch(of: #/\d{3}[a-z_][a-z0-9_]{4}|dji_\d{3}|camera\d\d/#) != nil
  }

  /// Text between a date and a time.
  static let at = [
    " at ", "_at_", " um ", " à ", " a las ", " às ", " alle ", " alle ore ", " kl. ", " om ",
    " o ",
    " klo ", " в ", " - ", ", ",
  ]

  /// Words for mixes of everyone.
  static let mixes = words("composed composite gallery mix mixdown mixed")

  /// True if `text` can name a participant: it has a word that is no kind, number, coding parameter
  /// or identifier.
  static func isName(_ text: String) -> Bool {
    let words = SharedFileNameParts.plain(text, isWhole: false)
    guard text.utf8.count < 200, !words.isEmpty else { return false }
    return words.contains { word in
      let plain = word.lowercased()
      return word.contains(where: \.isLetter) && !TrackNameParts.isKind(word) && !isCoding(plain)
        && count(plain) != .things && !parts.contains(plain) && !isCamera(plain)
        && !recordings.contains(plain) && !isIdentifier(plain)
        && !titles.contains(plain) && !copies.contains(plain)
    }
  }

  /// True for prefixes of cameras, with or without a number.
  private static func isCamera(_ word: String) -> Bool {
    let letters = word.prefix { $0.isLetter }
    let digits = word.utf8.count - letters.utf8.count
    return (digits == 0 ? cameras : clips).contains(String(letters))
      && (digits == 0 || (3...9).contains(digits))
      && word.dropFirst(letters.count).allSatisfy(\.isNumber)
  }

  /// True for words that only programs read: hexadecimal digits, or letters mixed with digits.
  static func isIdentifier(_ word: String) -> Bool {
    // Reels and clips of cinema cameras are counters.
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

  /// True for coding parameters such as `1280x720`, `720p`, `30fps` or a codec.
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

  /// Words in titles of streams that are no names.
  private static let titles = words(
    """
    handler left right eye depth main stereo mono surround default track untitled english commentary
    videohandler soundhandler core media apple alias data mainconcept mic/aux aux desktop
    """)

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}
