import { TextLink } from '../../ui/link.tsx'

/** On a host name of its own, a silo is the only one. */
const hasOwnHost = /^[a-z0-9-]+\.sys\./.test(window.location.hostname)

/** The way to the login page of another silo. */
export const OtherSilo = ({ redirectUri }: { redirectUri: string | undefined }) =>
  hasOwnHost ? null : (
    <p className="mt-6 text-center">
      <TextLink to="/login/choose" search={redirectUri ? { redirect_uri: redirectUri } : {}}>
        Sign in to another silo
      </TextLink>
    </p>
  )
