import { useEffect, useState } from 'react'
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form'
import { discardDraft, readDraft, writeDraft, type Draft } from '../data/draft.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { formatMoment } from '../ui/time.tsx'

type Options<T> = {
  /** Fields that are never stored: passwords, and files, which are not serializable. */
  without: (keyof T)[]
  /** The form was sent, so storing stops. */
  done: boolean
}

/**
 * Keeps the input of a long form in this tab, so that it survives a reload or the end of a
 * session, but not the tab.
 * @param id identifies the form, such as `instance in mill`
 * @returns the restored draft, if any, and a function that discards it
 */
export function useDraft<T extends FieldValues>(
  form: UseFormReturn<T>,
  id: string,
  { without, done }: Options<T>,
) {
  const [draft, setDraft] = useState(() => readDraft<T>(id))
  const { isDirty } = form.formState
  useEffect(() => {
    if (!draft) return
    // New and unstored fields keep their defaults.
    form.reset({ ...form.getValues(), ...draft.values } as T, { keepDefaultValues: true })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when the form appears
  }, [])
  useEffect(() => {
    if (done || !isDirty) return discardDraft(id)
    const save = () => {
      const values: Partial<T> = { ...form.getValues() }
      const incomplete = without.some((field) => Boolean(values[field]))
      for (const field of without) delete values[field]
      writeDraft(id, { values, incomplete })
    }
    save()
    const watching = form.watch(save)
    return () => watching.unsubscribe()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `without` is the same fields always
  }, [form, id, done, isDirty])
  return {
    restored: draft && isDirty && !done ? draft : undefined,
    /** Empties the form. */
    discard() {
      form.reset(form.formState.defaultValues as DefaultValues<T>)
      discardDraft(id)
      setDraft(undefined)
    },
  }
}

type DraftNoticeProps = { restored: Draft<unknown> | undefined; discard: () => void }

/** Notice above a form restored from a draft. */
export const DraftNotice = ({ restored, discard }: DraftNoticeProps) =>
  restored && (
    <Banner
      variant="info"
      title="Your draft was restored"
      action={
        <Button size="sm" onClick={discard}>
          Discard draft
        </Button>
      }
    >
      You last edited it in this tab at {formatMoment(new Date(restored.savedAt))}.
      {restored.incomplete && ' Files have to be chosen again.'}
    </Banner>
  )
