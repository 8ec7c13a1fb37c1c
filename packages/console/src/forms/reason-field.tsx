import { changeReasonProblem } from '@steading/api/rules'
import { useEffect, useSyncExternalStore } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { changeReasons } from '../data/api.ts'
import { useCapability } from '../data/capabilities.ts'
import { TextField } from '../ui/form/text-field.tsx'

/** Reasons of forms that were closed without being sent, by operation. */
const drafts = new Map<string, string>()

let current: ReadonlyMap<string, string> = new Map()
const listeners = new Set<() => void>()

function noteChange(): void {
  current = new Map(changeReasons)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The reasons in the fields that are shown, by operation. */
export const useChangeReasons = (): ReadonlyMap<string, string> =>
  useSyncExternalStore(subscribe, () => current)

/**
 * The reason of a change, for its version. It is sent with the next call of the operation while the
 * field is shown.
 */
export function ReasonField({ operation }: { operation: string }) {
  const supported = useCapability('settingVersions')
  const { control } = useForm({
    mode: 'onChange',
    defaultValues: { changeReason: drafts.get(operation) ?? '' },
  })
  const text = useWatch({ control, name: 'changeReason' })
  useEffect(() => {
    drafts.set(operation, text)
    // One that is too long is refused by the control plane, so that nothing of it is lost.
    const reason = text.trim()
    if (reason) changeReasons.set(operation, reason)
    else changeReasons.delete(operation)
    noteChange()
  }, [operation, text])
  useEffect(
    () => () => {
      // A sent reason is gone from there.
      if (!changeReasons.delete(operation)) drafts.delete(operation)
      noteChange()
    },
    [operation],
  )
  if (!supported) return null
  return (
    <TextField
      name="changeReason"
      label="Reason"
      control={control}
      description="Shown in the version history"
      validate={(text: string) => changeReasonProblem(text)}
    />
  )
}
