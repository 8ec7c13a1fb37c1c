import { queryClient } from './api.ts'

/** Input of a form that is kept in the tab until it is sent or discarded. */
export type Draft<T> = {
  values: Partial<T>
  savedAt: number
  /** Whether something was entered that is not stored. */
  incomplete: boolean
}

const PREFIX = 'draft:'

/** A draft belongs to the user who has written it. */
const keyOf = (form: string) => {
  const user = queryClient.getQueryData<{ id: string }>(['currentUserView', {}])
  return `${PREFIX}${user?.id ?? ''}:${form}`
}

export function readDraft<T>(form: string): Draft<T> | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(form)) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

export function writeDraft<T>(form: string, draft: Omit<Draft<T>, 'savedAt'>): void {
  try {
    sessionStorage.setItem(keyOf(form), JSON.stringify({ ...draft, savedAt: Date.now() }))
  } catch {
    // The storage is full: the form works without a draft.
  }
}

export const discardDraft = (form: string): void => sessionStorage.removeItem(keyOf(form))

/** For a user who signs out. */
export function discardAllDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  }
}
