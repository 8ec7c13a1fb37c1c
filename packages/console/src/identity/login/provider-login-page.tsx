import { SIGN_IN_PROBLEM } from '@steading/api/rules'
import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { RequestId } from '../../ui/error-details.tsx'
import { Banner } from '../../ui/banner.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { demoPassword } from '../session/demo.ts'
import { DemoSignIn } from './demo-sign-in.tsx'
import { LoginFrame, SiloHeading } from './login-frame.tsx'
import { type Protocol, providerRedirect } from '../session/provider-links.tsx'
import { OtherSilo, SignedOut } from './sign-in-notices.tsx'
import { Truncate } from '../../ui/text.tsx'

/** Reason why a response of an identity provider was refused. */
export interface SignInProblem {
  status: number
  message: string
  requestId: string
}

/**
 * The error in a page that the host served to a browser instead of JSON; undefined on other
 * pages.
 */
function signInProblem(): SignInProblem | undefined {
  const content = document.querySelector<HTMLMetaElement>(`meta[name=${SIGN_IN_PROBLEM}]`)?.content
  return content === undefined ? undefined : (JSON.parse(content) as SignInProblem)
}

/** An explanation for a user who is not at fault; the details are for the silo's admins. */
function Refused({ status, message, requestId }: SignInProblem) {
  return (
    <>
      <Banner variant="error" title="Could not sign in" className="mb-3">
        {status === 401
          ? 'Your account may not sign in to this silo. An administrator of the silo can change that.'
          : message}
      </Banner>
      <div className="mb-6">
        <RequestId id={requestId} />
      </div>
    </>
  )
}

export function SamlLoginPage() {
  const { silo, provider } = useParams({ from: '/login/$silo/saml/$provider' })
  const { redirect_uri: redirectUri } = useSearch({ from: '/login/$silo/saml/$provider' })
  return <ProviderLogin {...{ silo, provider, redirectUri, protocol: 'saml' }} />
}

/** Also stands at the addresses of the steps, if one of them is refused. */
export function OidcLoginPage() {
  const { silo = '', provider = '' } = useParams({ strict: false })
  const { redirect_uri: redirectUri } = useSearch({ strict: false })
  return <ProviderLogin {...{ silo, provider, redirectUri, protocol: 'oidc' }} />
}

type ProviderLoginProps = {
  silo: string
  provider: string
  protocol: Protocol
  redirectUri: string | undefined
}

function ProviderLogin({ silo, provider, protocol, redirectUri }: ProviderLoginProps) {
  const [problem, setProblem] = useState(signInProblem)
  const path = providerRedirect(silo, protocol, provider)
  const query = redirectUri?.trim() ? `?redirect_uri=${encodeURIComponent(redirectUri)}` : ''
  const label = `Sign in with ${provider}`
  return (
    <LoginFrame>
      <SiloHeading silo={silo} />
      {problem ? <Refused {...problem} /> : <SignedOut silo={silo} />}
      {demoPassword && protocol === 'oidc' ? (
        <Banner variant="notice" title={`Users sign in at ${provider}`}>
          An OpenID Connect provider is a site of its own, which this demo cannot reach.
        </Banner>
      ) : demoPassword ? (
        <DemoSignIn provider={provider} path={path + query} onRefused={setProblem} />
      ) : (
        // A plain link, because it leaves the console.
        <a href={path + query} className={cx(buttonClass('primary'), 'h-10 min-w-0')}>
          <Truncate text={label} />
        </a>
      )}
      <OtherSilo redirectUri={redirectUri} />
    </LoginFrame>
  )
}
