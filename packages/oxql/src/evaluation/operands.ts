/** Valid comparisons, and the values to compare with. */
import type { Comparable } from '../conditions.ts'
import type { Comparison, FieldType } from '../model.ts'
import { QueryError } from '../query-error.ts'
import { type Literal, milliseconds, type Moment } from '../syntax/ast.ts'
import { LAST_MOMENT } from '../syntax/tokens.ts'

const literalOfField: Record<FieldType, Literal['kind']> = {
  string: 'string',
  bool: 'boolean',
  ip_addr: 'ip',
  uuid: 'uuid',
  i8: 'integer',
  u8: 'integer',
  i16: 'integer',
  u16: 'integer',
  i32: 'integer',
  u32: 'integer',
  i64: 'integer',
  u64: 'integer',
}

/** Integers as numbers where exact. */
const plain = (value: Comparable): Comparable =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value

/** Operand for a field of a type. */
export function fieldOperand(
  type: FieldType,
  comparison: Comparison,
  literal: Literal,
): Comparable {
  if (literal.kind !== literalOfField[type] || (comparison === '~=' && type !== 'string')) {
    throw new QueryError(
      `Field value of type ${type} is cannot be compared to the value in this filter`,
    )
  }
  return plain(literal.value as Comparable)
}

const literalNames: Record<Literal['kind'], string> = {
  boolean: 'boolean',
  duration: 'duration',
  integer: 'integer',
  double: 'double',
  uuid: 'UUID',
  ip: 'IP address',
  string: 'string',
  timestamp: 'timestamp',
}

/** Operand for values of a type: a number. */
export function datumOperand(type: string, literal: Literal): number | bigint {
  const isNumber = literal.kind === 'integer' || literal.kind === 'double'
  if (isNumber && (type === 'integer' || type === 'double')) {
    return plain(literal.value) as number | bigint
  }
  if (literal.kind === 'boolean' && type === 'boolean') return Number(literal.value)
  throw new QueryError(
    `Cannot compare ${literalNames[literal.kind]} literal against values of type ${type}`,
  )
}

const DAY = 86_400_000

function resolve(moment: Moment, now: number): number {
  switch (moment.kind) {
    case 'absolute':
      return moment.milliseconds
    case 'today':
      return Math.floor(now / DAY) * DAY + moment.milliseconds
    case 'now': {
      const offset = moment.offset ? milliseconds(moment.offset) : 0
      return moment.sign === '-' ? now - offset : now + offset
    }
  }
}

/** Operand for a timestamp. */
export function timeOperand(literal: Literal, now: number): number {
  if (literal.kind !== 'timestamp') {
    throw new QueryError('Expression cannot be compared with a timestamp')
  }
  const moment = resolve(literal.value, now)
  if (Math.abs(moment) > LAST_MOMENT) {
    throw new QueryError('Timestamps must be within 270000 years of 1970')
  }
  return moment
}
