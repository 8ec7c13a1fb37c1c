export type Language = 'curl' | 'typescript' | 'terraform'
export type Part = { kind: 'text' | 'string' | 'comment'; part: string }

const double = '"(?:[^"\\\\\\n]|\\\\.)*"'
const single = "'(?:[^'\\\\\\n]|\\\\.)*'"

/** Comments at the start of a line or a member, and texts; in `sh` those of the JSON. */
const patterns: Record<Language, RegExp> = {
  curl: new RegExp(`(^# .*$)|(${double})`, 'gm'),
  typescript: new RegExp(`(^\\s*// .*$)|(${single})`, 'gm'),
  terraform: new RegExp(`(^\\s*# .*$)|(${double})`, 'gm'),
}

/** The text in parts, which are joined the text again. */
export function highlight(text: string, language: Language): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const match of text.matchAll(patterns[language])) {
    if (match.index > at) parts.push({ kind: 'text', part: text.slice(at, match.index) })
    parts.push({ kind: match[1] === undefined ? 'string' : 'comment', part: match[0] })
    at = match.index + match[0].length
  }
  if (at < text.length) parts.push({ kind: 'text', part: text.slice(at) })
  return parts
}
