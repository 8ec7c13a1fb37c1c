/** Prints a syntax tree; parsing the text gives the same tree. */
import type { Duration, Expression, Literal, Moment, Operation, Query } from './ast.ts'
import { special } from './tokens.ts'

const printDuration = ({ amount, unit }: Duration): string => `${amount}${unit}`

const escapes: Record<string, string> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\0': String.raw`\0`,
  '\\': '\\\\',
}

/**
 * Quotes a string: text that looks like an ID or address needs single quotes to remain a string.
 */
export function printString(value: string): string {
  const quote = special(value) || (value.includes('"') && !value.includes("'")) ? "'" : '"'
  const inside = value.replaceAll(/[\n\r\t\0\\"']/g, (character) => {
    if (character === quote) return `\\u{${character.codePointAt(0)!.toString(16)}}`
    return escapes[character] ?? character
  })
  return `${quote}${inside}${quote}`
}

function printDouble(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

/** `HH:MM:SS` with the necessary digits of the fraction. */
function printTime(sinceMidnight: number): string {
  const whole = Math.floor(sinceMidnight / 1000)
  const nanoseconds = Math.round((sinceMidnight - whole * 1000) * 1e6)
  const fraction = nanoseconds ? `.${String(nanoseconds).padStart(9, '0').replace(/0+$/, '')}` : ''
  return `${new Date(whole * 1000).toISOString().slice(11, 19)}${fraction}`
}

const DAY = 86_400_000

function printMoment(moment: Moment): string {
  switch (moment.kind) {
    case 'now':
      return moment.offset ? `@now() ${moment.sign} ${printDuration(moment.offset)}` : '@now()'
    case 'today':
      return `@${printTime(moment.milliseconds)}`
    case 'absolute': {
      const midnight = Math.floor(moment.milliseconds / DAY) * DAY
      const date = new Date(midnight).toISOString().slice(0, 10)
      const time = moment.milliseconds - midnight
      return time === 0 ? `@${date}` : `@${date}T${printTime(time)}`
    }
  }
}

export function printLiteral(literal: Literal): string {
  switch (literal.kind) {
    case 'string':
      return printString(literal.value)
    case 'uuid':
    case 'ip':
      return `"${literal.value}"`
    case 'double':
      return printDouble(literal.value)
    case 'duration':
      return printDuration(literal.value)
    case 'timestamp':
      return printMoment(literal.value)
    default:
      return String(literal.value)
  }
}

const operators = { or: ' || ', and: ' && ', xor: ' ^ ' }
/** A higher number binds tighter. */
const tightness = { or: 0, and: 1, xor: 2, not: 3, comparison: 4 }

export function printExpression(expression: Expression): string {
  const inside = (operand: Expression, least: number): string => {
    const text = printExpression(operand)
    return tightness[operand.kind] < least ? `(${text})` : text
  }
  const own = tightness[expression.kind]
  switch (expression.kind) {
    case 'comparison': {
      const { identifier, comparison, literal } = expression
      return `${identifier} ${comparison} ${printLiteral(literal)}`
    }
    case 'not':
      // Parentheses show the scope of `!`.
      return expression.operand.kind === 'not'
        ? `!${printExpression(expression.operand)}`
        : `!(${printExpression(expression.operand)})`
    default:
      return expression.operands
        .map((operand) => inside(operand, own + 1))
        .join(operators[expression.kind])
  }
}

export function printOperation(operation: Operation): string {
  switch (operation.kind) {
    case 'get':
      return `get ${operation.name}`
    case 'filter':
      return `filter ${printExpression(operation.expression)}`
    case 'align':
      return `align ${operation.method}(${printDuration(operation.period)})`
    case 'group_by': {
      const fields = `group_by [${operation.fields.join(', ')}]`
      return operation.reducer === 'mean' ? fields : `${fields}, ${operation.reducer}`
    }
    case 'join':
      return 'join'
    case 'group':
      return `{ ${operation.queries.map((query) => print(query)).join('; ')} }`
    default:
      return `${operation.kind} ${operation.count}`
  }
}

/** @param separator of operations, such as `\n| ` for one per line */
export const print = ({ operations }: Query, separator = ' | '): string =>
  operations.map(printOperation).join(separator)
