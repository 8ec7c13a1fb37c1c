import type { SessionEndReason, SignInPage } from '@steading/api/client'
import { client } from './client.ts'

/** Sign-in options of a silo; null if the control plane does not tell. */
export const signInPageQuery = (silo: string) => ({
  queryKey: ['signInPageView', silo] as const,
  queryFn: async (): Promise<SignInPage | null> => {
    const answer = await client.signInPageView({ path: { siloName: silo } }).catch(() => undefined)
    return answer?.type === 'success' ? answer.data : null
  },
  staleTime: 0,
})

/** Reasons for signing in again, as texts. */
export const signedOutBecause: Record<SessionEndReason, string> = {
  expired: 'Your session has expired.',
  ended: 'You ended this session from another one.',
  administrator: 'An administrator has ended your session.',
  password: 'Your password was changed. Sign in with the new one.',
  user: 'This user was deleted or deactivated.',
  provider: 'You signed out at your identity provider.',
}
