/** An expression printed verbatim: a reference, a function call. */
export class Expression {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A comment in a list or a block. */
export class Remark extends Expression {}

export type Hcl =
  | string
  | number
  | boolean
  | null
  | Expression
  | Hcl[]
  | { [key: string]: Hcl | undefined }

export type Block = {
  type: 'data' | 'resource'
  kind: string
  label: string
  remark?: string
  attributes: { [key: string]: Hcl | undefined }
}

/** A string without interpolation. */
export function hclQuote(text: string): string {
  const escaped = JSON.stringify(text)
    // HCL lacks JSON's escapes `\b` and `\f`.
    .replaceAll(/\\(?:\\|"|n|r|t|b|f|u)/g, (escape) =>
      escape === String.raw`\b`
        ? String.raw`\u0008`
        : escape === String.raw`\f`
          ? String.raw`\u000c`
          : escape,
    )
  return escaped.replaceAll(/(\$+|%+)\{/g, (start, signs: string) =>
    // Doubling a sign escapes a template, unless another such sign precedes it.
    signs.length === 1
      ? `${signs}${start}`
      : `${[...signs].map((sign) => (sign === '$' ? String.raw`\u0024` : String.raw`\u0025`)).join('')}{`,
  )
}

const WIDTH = 80

export function printBlock({ type, kind, label, remark, attributes }: Block): string {
  const lines = [...(remark ? [`  # ${remark}`] : []), ...printAttributes(attributes, '  ')]
  return `${type} "${kind}" "${label}" {\n${lines.join('\n')}\n}`
}

/** Aligns the equals signs of neighbouring lines, like `terraform fmt`. */
function printAttributes(attributes: Block['attributes'], indent: string): string[] {
  const printed = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: printHcl(value, indent) }],
  )
  const isLong = ({ value }: { value: string }) => value.includes('\n')
  return printed.map((attribute, at) => {
    let width = attribute.key.length
    if (!isLong(attribute)) {
      for (const step of [-1, 1]) {
        for (let i = at + step; printed[i] && !isLong(printed[i]!); i += step) {
          width = Math.max(width, printed[i]!.key.length)
        }
      }
    }
    return `${indent}${attribute.key.padEnd(width)} = ${attribute.value}`
  })
}

function printHcl(value: Hcl, indent: string): string {
  if (value instanceof Expression) return value.text
  if (typeof value === 'string') return hclQuote(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  if (value === null || typeof value !== 'object') return String(value)
  const inner = `${indent}  `
  if (!Array.isArray(value)) {
    const lines = printAttributes(value, inner)
    return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`
  }
  const items = value.map((item) => printHcl(item, inner))
  const line = `[${items.join(', ')}]`
  const remarked = value.some((item) => item instanceof Remark)
  if (!remarked && !line.includes('\n') && indent.length + line.length < WIDTH) return line
  const lines = items.map((item, at) => `${inner}${item}${value[at] instanceof Remark ? '' : ','}`)
  return `[\n${lines.join('\n')}\n${indent}]`
}
