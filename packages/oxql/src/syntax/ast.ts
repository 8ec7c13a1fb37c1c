/** Syntax tree of a query, with positions in its text. */
import type { Comparison } from '../model.ts'

/** A part of the text, with an exclusive end. */
export type Span = { start: number; end: number }

/** Milliseconds of each unit. */
export const durationUnits = {
  Y: 365 * 86_400_000,
  M: 30 * 86_400_000,
  w: 7 * 86_400_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  ns: 1e-6,
} as const
export type DurationUnit = keyof typeof durationUnits
export type Duration = { amount: number; unit: DurationUnit }

export const milliseconds = ({ amount, unit }: Duration): number => amount * durationUnits[unit]

/** A time in UTC, possibly relative to the evaluation of the query. */
export type Moment =
  | { kind: 'absolute'; milliseconds: number }
  /** Milliseconds since midnight. */
  | { kind: 'today'; milliseconds: number }
  | { kind: 'now'; sign?: '+' | '-'; offset?: Duration }

export type Literal =
  | { kind: 'boolean'; value: boolean }
  | { kind: 'duration'; value: Duration }
  | { kind: 'integer'; value: bigint }
  | { kind: 'double'; value: number }
  | { kind: 'uuid'; value: string }
  | { kind: 'ip'; value: string }
  | { kind: 'string'; value: string }
  | { kind: 'timestamp'; value: Moment }

export type Condition = Span & {
  kind: 'comparison'
  /** A field, or one of `timestamp`, `start_time` and `datum`. */
  identifier: string
  comparison: Comparison
  literal: Literal
}
export type Expression =
  | Condition
  | (Span & { kind: 'not'; operand: Expression })
  /** At least two operands, in order of binding: `||` loosest, `&&`, `^`. */
  | (Span & { kind: 'or' | 'and' | 'xor'; operands: Expression[] })

export type Operation =
  | (Span & { kind: 'get'; name: string })
  | (Span & { kind: 'filter'; expression: Expression })
  | (Span & { kind: 'align'; method: 'mean_within' | 'interpolate'; period: Duration })
  | (Span & { kind: 'group_by'; fields: string[]; reducer: 'mean' | 'sum' })
  | (Span & { kind: 'join' })
  | (Span & { kind: 'first' | 'last'; count: number })
  | (Span & { kind: 'group'; queries: Query[] })

/** The first operation, and no other, is a `get` or a group. */
export type Query = Span & { operations: Operation[] }
