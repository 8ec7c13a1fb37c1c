/**
 * Reason and position of a JSON syntax error. Engines word errors differently and often omit the
 * position, so a refused body is parsed once more here.
 */
class JsonSyntaxError extends Error {
  /** Number of characters up to and including the wrong one. */
  readonly offset: number
  constructor(reason: string, offset: number) {
    super(reason)
    this.offset = offset
  }
}

const MAX_DEPTH = 128

/** @returns undefined if the text is valid JSON */
export function jsonSyntaxProblem(text: string): { reason: string; offset: number } | undefined {
  let at = 0
  /** @param offset of the problem; default: the current character */
  const refuse = (reason: string, offset = at + 1): never => {
    throw new JsonSyntaxError(reason, Math.min(offset, text.length))
  }
  /** Skips whitespace and returns the next character. */
  const peek = (atEnd: string): string => {
    while (' \t\n\r'.includes(text[at] ?? 'x')) at++
    return text[at] ?? refuse(`EOF while parsing ${atEnd}`)
  }

  function string() {
    at++
    for (; text[at] !== '"'; at++) {
      if (at >= text.length) refuse('EOF while parsing a string')
      if (text[at]! < ' ') {
        refuse(String.raw`control character (\u0000-\u001F) found while parsing a string`)
      }
      if (text[at] !== '\\') continue
      at++
      if (at >= text.length) refuse('EOF while parsing a string')
      if (text[at] === 'u') {
        if (!/^[0-9a-f]{4}/i.test(text.slice(at + 1, at + 5))) refuse('invalid escape')
      } else if (!'"\\/bfnrt'.includes(text[at]!)) refuse('invalid escape')
    }
    at++
  }

  function digits() {
    if (at >= text.length) refuse('EOF while parsing a value')
    if (!/\d/.test(text[at]!)) refuse('invalid number')
    while (/\d/.test(text[at] ?? '')) at++
  }

  function number() {
    if (text[at] === '-') at++
    if (text[at] === '0') {
      at++
      if (/\d/.test(text[at] ?? '')) refuse('invalid number')
    } else digits()
    if (text[at] === '.') {
      at++
      digits()
    }
    if (/e/i.test(text[at] ?? '')) {
      at++
      if (/[+-]/.test(text[at] ?? '')) at++
      digits()
    }
  }

  function word(expected: string) {
    for (const letter of expected) {
      if (at >= text.length) refuse('EOF while parsing a value')
      if (text[at] !== letter) refuse('expected ident')
      at++
    }
  }

  function members(what: 'an object' | 'a list', close: '}' | ']', depth: number) {
    at++
    let next = peek(what)
    while (next !== close) {
      if (close === '}') {
        if (next !== '"') refuse('key must be a string')
        string()
        if (peek(what) !== ':') refuse('expected `:`')
        at++
      }
      value(depth + 1)
      next = peek(what)
      if (next === close) break
      if (next !== ',') refuse(`expected \`,\` or \`${close}\``)
      at++
      next = peek('a value')
      if (next === close) refuse('trailing comma')
    }
    at++
  }

  function value(depth: number) {
    if (depth > MAX_DEPTH) refuse('recursion limit exceeded')
    const first = peek('a value')
    if (first === '{') members('an object', '}', depth)
    else if (first === '[') members('a list', ']', depth)
    else if (first === '"') string()
    else if (/[-\d]/.test(first)) number()
    else if (first === 't') word('true')
    else if (first === 'f') word('false')
    else if (first === 'n') word('null')
    else refuse('expected value')
  }

  try {
    value(0)
    while (at < text.length && ' \t\n\r'.includes(text[at]!)) at++
    if (at < text.length) refuse('trailing characters')
    return undefined
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { reason: error.message, offset: error.offset }
    throw error
  }
}
