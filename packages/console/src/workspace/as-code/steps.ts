import type { Args, MethodName } from '@steading/api/client'

/** A planned call of the API. */
export type Call = { [M in MethodName]: { operation: M; args: Args<M> } }[MethodName]

/** Annotations of a call. */
type Remark = {
  note?: string
  /** Name by which later steps refer to the ID of the answer (`idOf`). */
  idAs?: string
}

/** The compiler cannot spread a union of all operations, so annotations are passed separately. */
export const call = <M extends MethodName>(
  operation: M,
  args: Args<M>,
  remark: Remark = {},
): Call & Remark => ({ operation, args, ...remark }) as unknown as Call & Remark

type ImportedDisk = { disk: string; project: string }

/** A step of the shown code: a call, or an operation that needs a loop. */
export type Step =
  | (Call & Remark)
  | ({ operation: 'writeFile'; note?: string; file: string } & ImportedDisk)
  | ({ operation: 'awaitFinalized'; note?: string } & ImportedDisk)

/** A placeholder that each language replaces with its own expression. NUL cannot be typed. */
const marked = (kind: 'base64' | 'id', name: string) => `\0${kind}\0${name}`

/**
 * Placeholder for the Base64 of a file. The shown code reads the file itself instead of
 * containing 32 KiB.
 */
export const base64Of = (file: string): string => marked('base64', file)

/** Placeholder for the ID in the answer of an earlier step. */
export const idOf = (name: string): string => marked('id', name)

export type Placeholder = { kind: 'base64' | 'id'; name: string }

export function parsePlaceholder(text: string): Placeholder | undefined {
  const match = /^\0(base64|id)\0([^]*)$/.exec(text)
  return match ? { kind: match[1] as Placeholder['kind'], name: match[2]! } : undefined
}

/** The text of the code, and notes on it. */
export type Code = { text: string; notes: string[] }
