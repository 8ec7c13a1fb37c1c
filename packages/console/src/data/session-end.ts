import { createStore } from '../ui/store.ts'

/** What is asked of a user whose session has ended: to sign in, then whether a change is to be made. */
export type SignInStage = 'sign in' | 'offer change' | undefined

const stage = createStore<SignInStage>(undefined)
export const useSignInStage = stage.useValue

/** Whether the session is known to have ended. */
const ended = createStore(false)
export const useSessionEnded = ended.useValue
export const isSessionEnded = ended.get
export const followSession = ended.subscribe
export const sessionHasEnded = (): void => ended.set(true)

/** Whether there is a page that could show the question. */
let canAsk = false
export const canAskToSignIn = (): boolean => canAsk

/** Called by what shows the question. @returns to be called when it goes */
export function hostSignIn(): () => void {
  canAsk = true
  return () => {
    canAsk = false
  }
}

type Waiting = { changes: boolean; resolve: (goOn: boolean) => void }

/** The calls that were refused for want of a session. */
let waiting: Waiting[] = []

const settle = (calls: Waiting[], goOn: boolean) => calls.forEach(({ resolve }) => resolve(goOn))

/**
 * Asks the user to sign in again, over the page.
 * @param changes whether the call would change something: then the user is asked before it is sent
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

/** Asks without a call that waits for it. */
export const offerSignIn = (): void => void askToSignIn(false)

/** The same user is signed in again. */
export function signedInAgain(): void {
  const reads = waiting.filter(({ changes }) => !changes)
  waiting = waiting.filter(({ changes }) => changes)
  ended.set(false)
  stage.set(waiting.length > 0 ? 'offer change' : undefined)
  settle(reads, true)
}

/** The user does not sign in, or has decided about the change. */
export function endSignIn(goOn: boolean): void {
  const all = waiting
  waiting = []
  stage.set(undefined)
  settle(all, goOn)
}
