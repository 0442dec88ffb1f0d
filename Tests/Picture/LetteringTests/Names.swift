/// Usual and malformed names.
enum Names {
  static let ordinary = [
    "Ada Lovelace", "Žofie Příliš-Žluťoučká", "Мария Склодовская", "Νίκος Καζαντζάκης",
    "عمر الخيّام", "דוד בן־גוריון", "山田 太郎", "王小明", "김민준", "रवीन्द्रनाथ ठाकुर", "தமிழ் செல்வன்",
    "สมชาย ใจดี", "བསྟན་འཛིན་རྒྱ་མཚོ", "አበበ ቢቂላ", "Nguyễn Thị Minh Khai",
  ]

  static let emoji = [
    "👨‍👩‍👧‍👦 Family", "Zoë 🇩🇪🏴󠁧󠁢󠁳󠁣󠁴󠁿 👩🏽‍🚀", "🎉", "1️⃣ First", "❤️ Heart ❤",
  ]

  static let hostile = [
    String(repeating: "Long Name ", count: 40), "<b>bold</b> &amp; <span size='99999'>",
    "%{frame_num} %{expr:1} %n%n%s", "a'b\"c\\d:e;f,g=h",
    "line\none\r\n\ttab\u{2028}sep\u{0}nul\u{7}",
    "\u{202e}gnp.live\u{202c} \u{2067}x",
    "Z\u{0300}\u{0301}\u{0302}\u{0303}\u{0304}\u{0305}\u{0306}alg"
      + String(repeating: "o\u{0336}\u{0489}\u{030a}\u{0327}", count: 60),
    "﷽﷽﷽", "\u{1242b}\u{12219}", String(repeating: "👨‍👩‍👧‍👦", count: 100),
    String(repeating: "\u{0301}", count: 400),
    String(String.UnicodeScalarView([0xfdd0, 0x10ffff, 0xe000].compactMap { Unicode.Scalar($0) })),
  ]

  static let all = ordinary + emoji + hostile
}
