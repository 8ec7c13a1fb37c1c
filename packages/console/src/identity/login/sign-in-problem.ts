import { SIGN_IN_PROBLEM } from '@steading/api/rules'

/** Why the answer of an identity provider was refused. */
export interface SignInProblem {
  status: number
  message: string
  requestId: string
}

/**
 * What the host has put into the page that answers a browser instead of an error in JSON; undefined
 * of any other page.
 */
export function signInProblem(): SignInProblem | undefined {
  const content = document.querySelector<HTMLMetaElement>(`meta[name=${SIGN_IN_PROBLEM}]`)?.content
  return content === undefined ? undefined : (JSON.parse(content) as SignInProblem)
}
