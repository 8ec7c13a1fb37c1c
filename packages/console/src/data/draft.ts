import { queryClient } from './api.ts'

/** Form input kept in the tab until it is sent or discarded. */
export type Draft<T> = {
  values: Partial<T>
  savedAt: number
  /** Some input is not stored. */
  incomplete: boolean
}

const PREFIX = 'draft:'

/** Drafts belong to the user who wrote them. */
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
    // Storage is full: the form works without a draft.
  }
}

export const discardDraft = (form: string): void => sessionStorage.removeItem(keyOf(form))

/** Called on sign-out. */
export function discardAllDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  }
}
