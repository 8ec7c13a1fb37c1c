export type Language = 'curl' | 'cli' | 'typescript' | 'terraform' | 'python'
export type Part = { kind: 'text' | 'key' | 'string' | 'comment'; part: string }

const double = '"(?:[^"\\\\\\n]|\\\\.)*"'
const single = "'(?:[^'\\\\\\n]|\\\\.)*'"

/** Comments at the start of a line or a member, keys, and strings; in `sh` those of the JSON. */
const patterns: Record<Language, RegExp> = {
  curl: new RegExp(`(^# .*$)|(${double}(?=:))|(${double})`, 'gm'),
  cli: new RegExp(`(^# .*$)|(${double}(?=:))|(${double})`, 'gm'),
  typescript: new RegExp(`(^\\s*// .*$)|(\\b\\w+(?=: ))|(${single})`, 'gm'),
  python: new RegExp(`(^\\s*# .*$)|(\\b\\w+(?=: ))|(${double})`, 'gm'),
  terraform: new RegExp(`(^\\s*# .*$)|((?<=^\\s*)\\w+(?= += ))|(${double})`, 'gm'),
}

/** Splits text into parts, which joined equal the text. */
export function highlight(text: string, language: Language): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const match of text.matchAll(patterns[language])) {
    if (match.index > at) parts.push({ kind: 'text', part: text.slice(at, match.index) })
    const kind = match[1] !== undefined ? 'comment' : match[2] !== undefined ? 'key' : 'string'
    parts.push({ kind, part: match[0] })
    at = match.index + match[0].length
  }
  if (at < text.length) parts.push({ kind: 'text', part: text.slice(at) })
  return parts
}
