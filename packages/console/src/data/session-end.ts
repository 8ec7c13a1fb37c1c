import { createStore } from '../ui/store.ts'

/** Questions to a user whose session has ended: sign in, then confirm pending changes. */
export type SignInStage = 'sign in' | 'offer change' | undefined

const stage = createStore<SignInStage>(undefined)
export const useSignInStage = stage.useValue

/** Whether the session is known to have ended. */
const ended = createStore(false)
export const useSessionEnded = ended.useValue
export const isSessionEnded = ended.get
export const followSession = ended.subscribe
export const sessionHasEnded = (): void => ended.set(true)

/** Whether a page can show the question. */
let canAsk = false
export const canAskToSignIn = (): boolean => canAsk

/**
 * Called by the dialog that shows the question.
 * @returns to be called on unmount
 */
export function hostSignIn(): () => void {
  canAsk = true
  return () => {
    canAsk = false
  }
}

type Waiting = { changes: boolean; resolve: (isSignedIn: boolean) => void }

/** Calls refused because the session had ended. */
let waiting: Waiting[] = []

const settle = (calls: Waiting[], isSignedIn: boolean) =>
  calls.forEach(({ resolve }) => resolve(isSignedIn))

/**
 * Asks the user to sign in again, over the page.
 * @param changes the call would change something: the user must confirm before it is sent
 * again, because a long time may have passed
 * @returns whether to send the call again
 */
export function askToSignIn(changes: boolean): Promise<boolean> {
  ended.set(true)
  return new Promise((resolve) => {
    waiting.push({ changes, resolve })
    stage.set('sign in')
  })
}

/** Asks without a pending call. */
export const offerSignIn = (): void => void askToSignIn(false)

/** The same user is signed in again. */
export function signedInAgain(): void {
  const reads = waiting.filter(({ changes }) => !changes)
  waiting = waiting.filter(({ changes }) => changes)
  ended.set(false)
  stage.set(waiting.length > 0 ? 'offer change' : undefined)
  settle(reads, true)
}

/** The user declined to sign in, or decided about the changes. */
export function endSignIn(isSignedIn: boolean): void {
  const all = waiting
  waiting = []
  stage.set(undefined)
  settle(all, isSignedIn)
}
