/** Parser for the subset of HCL that the console writes, by the specification of HCL. */
type Value = string | number | boolean | null | Value[] | { [key: string]: Value } | { ref: string }
export type Parsed = { type: string; labels: string[]; attributes: Record<string, Value> }

const token =
  /[ \t]+|#[^\n]*|(?<newline>\n)|(?<string>"(?:[^"\\\n]|\\.)*")|(?<word>[A-Za-z_][\w.-]*)|(?<number>-?\d+(?:\.\d+)?)|(?<sign>[{}[\](),=])/gy

type Token = { kind: string; text: string }

function tokens(source: string): Token[] {
  const found: Token[] = []
  token.lastIndex = 0
  while (token.lastIndex < source.length) {
    const at = token.lastIndex
    const match = token.exec(source)
    if (!match) throw new Error(`unexpected: ${source.slice(at, at + 40)}`)
    const [kind, text] = Object.entries(match.groups!).find(([, part]) => part !== undefined) ?? []
    if (kind) found.push({ kind, text: text! })
  }
  return found
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' }

/** The text of a quoted template; templates with interpolation are refused. */
export function unquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replaceAll(
      /\$\$\{|%%\{|[$%]\{|\\u([0-9a-f]{4})|\\(.)/g,
      (part, hex?: string, short?: string) => {
        if (part === '${' || part === '%{') throw new Error(`interpolates: ${quoted}`)
        if (part.endsWith('{')) return part.slice(1)
        if (hex) return String.fromCharCode(Number.parseInt(hex, 16))
        const text = escapes[short!]
        if (text === undefined) throw new Error(`no escape: ${part}`)
        return text
      },
    )
}

export function parseHcl(source: string): Parsed[] {
  const all = tokens(source)
  let at = 0
  const peek = () => all[at]
  const skipNewlines = () => {
    while (peek()?.kind === 'newline') at++
  }
  const take = (text?: string): Token => {
    const next = all[at++]
    if (!next || (text !== undefined && next.text !== text)) {
      throw new Error(`expected ${text}, found ${next?.text}`)
    }
    return next
  }
  const value = (): Value => {
    const { kind, text } = take()
    if (kind === 'string') return unquote(text)
    if (kind === 'number') return Number(text)
    if (text === '[') {
      const items: Value[] = []
      for (skipNewlines(); peek()?.text !== ']'; skipNewlines()) {
        items.push(value())
        skipNewlines()
        if (peek()?.text !== ']') take(',')
      }
      take(']')
      return items
    }
    if (text === '{') return body()
    if (kind !== 'word') throw new Error(`no value: ${text}`)
    if (text === 'true' || text === 'false') return text === 'true'
    if (text === 'null') return null
    if (peek()?.text !== '(') return { ref: text }
    take('(')
    const argument = value()
    take(')')
    return { [text]: argument }
  }
  const body = (): Record<string, Value> => {
    const attributes: Record<string, Value> = {}
    for (skipNewlines(); peek()?.text !== '}'; skipNewlines()) {
      const key = take().text
      take('=')
      attributes[key] = value()
      if (peek()?.text !== '}') take('\n')
    }
    take('}')
    return attributes
  }
  const blocks: Parsed[] = []
  for (skipNewlines(); at < all.length; skipNewlines()) {
    const type = take().text
    const labels: string[] = []
    while (peek()?.kind === 'string') labels.push(unquote(take().text))
    take('{')
    blocks.push({ type, labels, attributes: body() })
  }
  return blocks
}
