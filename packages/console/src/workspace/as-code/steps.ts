import type { Args, MethodName } from '@steading/api/client'

/** A planned call of the API. */
export type Call = { [M in MethodName]: { operation: M; args: Args<M> } }[MethodName]

/** Annotations of a call. */
export type Remark = {
  note?: string
  /** Reason of the change, for its version. */
  reason?: string
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

export { base64Of, idOf, parsePlaceholder, type Placeholder } from '@steading/api/placeholders'

/** The text of the code, and notes on it. */
export type Code = { text: string; notes: string[] }
