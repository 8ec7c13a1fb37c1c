/** A JSON value in the words of parse errors: ``integer `-3` ``, `string "x"`, `map`. */
export function describeJson(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'sequence'
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``
    case 'string':
      return `string ${JSON.stringify(value)}`
    case 'boolean':
      return `boolean \`${value}\``
    default:
      return 'map'
  }
}
