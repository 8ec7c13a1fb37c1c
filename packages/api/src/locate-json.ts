/** Blanks of JSON. */
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)
/** Beginning or end of a string, a map or a list. */
const mark = /["{}[\]]/g

/**
 * Offset just after the value at a path in valid JSON text, for error messages. If the path does
 * not exist, the end of the nearest enclosing value. Only called when a body is refused.
 */
export function locate(text: string, path: PropertyKey[]): number {
  let at = 0
  const skipSpace = () => {
    while (isSpace(text.charCodeAt(at))) at++
  }
  const skipString = () => {
    at++
    for (;;) {
      const quote = text.indexOf('"', at)
      let slashes = 0
      while (text[quote - 1 - slashes] === '\\' && quote - 1 - slashes >= at) slashes++
      at = quote + 1
      // A quote after an odd number of backslashes is part of the string.
      if (slashes % 2 === 0) return
    }
  }
  const skipValue = () => {
    skipSpace()
    if (text[at] === '"') return skipString()
    if (text[at] === '{' || text[at] === '[') {
      let depth = 0
      do {
        mark.lastIndex = at
        at = mark.exec(text)!.index
        if (text[at] === '"') {
          skipString()
          continue
        }
        depth += text[at] === '{' || text[at] === '[' ? 1 : -1
        at++
      } while (depth > 0)
      return
    }
    while (at < text.length && !/[\s,\]}]/.test(text[at]!)) at++
  }
  /** Moves to the start of a member's or element's value; false if it does not exist. */
  const enter = (key: PropertyKey): boolean => {
    skipSpace()
    const open = text[at]
    if (open !== '{' && open !== '[') return false
    at++
    for (let index = 0; ; index++) {
      skipSpace()
      if (text[at] === '}' || text[at] === ']') return false
      let name: PropertyKey = index
      if (open === '{') {
        const start = at
        skipString()
        name = JSON.parse(text.slice(start, at)) as string
        skipSpace()
        at++
      }
      if (name === key) {
        skipSpace()
        return true
      }
      skipValue()
      skipSpace()
      if (text[at] === ',') at++
    }
  }
  for (const key of path) {
    const start = at
    if (!enter(key)) {
      at = start
      break
    }
  }
  skipValue()
  return at
}
