/** Arguments for calling an operation in tests that go through all of them. */
import type { OperationId } from '@steading/api'
import type { Action, KindName } from '@steading/api/rules'
import type { CallArgs } from '../caller.ts'

/** One way to call an operation. */
export interface Probe<Op extends OperationId = OperationId> {
  args: () => CallArgs<Op> | Promise<CallArgs<Op>>
  /**
   * The status for a caller with the permission, if not success: the state of the thing forbids the
   * call, which is checked after the permission.
   */
  passes?: number
  /** Kinds of the operation's permission that this call is about, if not all. */
  about?: KindName[]
  /** The actions this call needs, where these are more than its operation declares. */
  needs?: Partial<Record<KindName, Action>>
  /** Kinds hidden from callers who may not read them, although they are collections. */
  hides?: KindName[]
  /** The body names things, as the parameters of a path do. */
  bodyNames?: true
}
/** One or several calls of each operation, by name. */
export type Probes = { [Op in OperationId]: Probe<Op> | Record<string, Probe<Op>> }

/** A call without arguments. */
export const plain = { args: () => ({}) }
