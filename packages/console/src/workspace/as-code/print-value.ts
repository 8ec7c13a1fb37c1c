import { parsePlaceholder, type Placeholder } from './steps.ts'

/** Differences between JSON and TypeScript. */
export type Notation = {
  key: (name: string) => string
  text: (value: string) => string
  number: (value: number) => string
  /** @param time in ISO 8601 */
  date: (time: string) => string
  marked: (value: Placeholder) => string
  trailingComma: '' | ','
}

const WIDTH = 80

/** Arguments as nested literals, on one line if they fit. Undefined members are omitted. */
export function printValue(
  value: unknown,
  notation: Notation,
  indent = '',
  expanded = false,
): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return notation.number(value)
  if (typeof value === 'string') {
    const mark = parsePlaceholder(value)
    return mark ? notation.marked(mark) : notation.text(value)
  }
  if (value instanceof Date) return notation.date(value.toISOString())
  if (typeof value !== 'object') return String(value)
  const list = Array.isArray(value)
  const inner = `${indent}  `
  const items = list
    ? value.map((item: unknown) => printValue(item, notation, inner))
    : Object.entries(value).flatMap(([key, member]) =>
        member === undefined
          ? []
          : [`${notation.key(key)}: ${printValue(member, notation, inner)}`],
      )
  const [open, close] = list ? ['[', ']'] : ['{', '}']
  if (items.length === 0) return open + close
  const line = list ? `[${items.join(', ')}]` : `{ ${items.join(', ')} }`
  if (!expanded && !line.includes('\n') && indent.length + line.length < WIDTH) return line
  const lines = items.map((item) => `${inner}${item}`).join(',\n')
  return `${open}\n${lines}${notation.trailingComma}\n${indent}${close}`
}
