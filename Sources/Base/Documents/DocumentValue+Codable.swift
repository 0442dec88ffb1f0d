extension DocumentValue: Codable {
  private struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Decodes any value. Numbers have the precision of the decoder (`Int` or `Double`).
  package init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: MemberKey.self) {
      var members = Members()
      for key in object.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
        members.append(key.stringValue, try object.decode(DocumentValue.self, forKey: key))
      }
      self = .object(members)
      return
    }
    if var list = try? decoder.unkeyedContainer() {
      var values: [DocumentValue] = []
      while !list.isAtEnd { values.append(try list.decode(DocumentValue.self)) }
      self = .list(values)
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Int.self) {
      self = .number(DecimalLiteral(number))
    } else if let number = try? value.decode(Double.self), let numeral = DecimalLiteral("\(number)")
    {
      self = .number(numeral)
    } else {
      self = .text(try value.decode(String.self))
    }
  }

  /// Encodes the value. A number that is not an integer becomes the nearest `Double`.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var object = encoder.container(keyedBy: MemberKey.self)
      for member in members.all {
        try object.encode(member.value, forKey: MemberKey(stringValue: member.key))
      }
    case .list(let values):
      var list = encoder.unkeyedContainer()
      for value in values { try list.encode(value) }
    default:
      var value = encoder.singleValueContainer()
      switch self {
      case .bool(let bool): try value.encode(bool)
      case .number(let numeral):
        if let integer = numeral.integer {
          try value.encode(integer)
        } else {
          try value.encode(numeral.double)
        }
      case .text(let text): try value.encode(text)
      default: try value.encodeNil()
      }
    }
  }
}
