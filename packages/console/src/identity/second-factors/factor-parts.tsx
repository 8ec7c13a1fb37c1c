/** Parts of second factors, for the sign-in and for the settings. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { formatRecoveryCode, permitsPasskeys } from '@steading/api/rules'
import { Download } from 'lucide-react'
import { encode } from 'uqr'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Mono } from '../../ui/text.tsx'

/** Why this browser cannot use passkeys at this address; undefined if it can. */
export function passkeyLack(): string | undefined {
  const { hostname, protocol } = window.location
  if (!permitsPasskeys(hostname)) {
    return 'Browsers use passkeys only at a host name, and this console is open at an IP address.'
  }
  if (!window.isSecureContext) {
    return `Browsers use passkeys only over TLS, and this console is open over ${protocol.slice(0, -1)}.`
  }
  return 'PublicKeyCredential' in window ? undefined : 'This browser does not support passkeys.'
}

/** The browser's refusal in words; undefined if the user cancelled. */
export function passkeyProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return 'The passkey could not be used.'
  // The browser does not tell a cancellation from a passkey that is not there.
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return undefined
  return error.name === 'InvalidStateError' ? 'This passkey is registered already.' : error.message
}

/** Asks the browser to make a passkey. @returns its answer, as JSON */
export const makePasskey = async (options: string): Promise<string> =>
  JSON.stringify(
    await startRegistration({
      optionsJSON: JSON.parse(options) as Parameters<typeof startRegistration>[0]['optionsJSON'],
    }),
  )

/** Asks the browser to use a passkey. @returns its answer, as JSON */
export const answerPasskey = async (options: string): Promise<string> =>
  JSON.stringify(
    await startAuthentication({
      optionsJSON: JSON.parse(options) as Parameters<typeof startAuthentication>[0]['optionsJSON'],
    }),
  )

/** A secret for an authenticator app, as a QR code and as text. */
export function TotpSecret({ secret, uri }: { secret: string; uri: string }) {
  const { data, size } = encode(uri, { ecc: 'M', border: 2 })
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return (
    <div className="flex flex-col gap-3">
      <p>Scan this code with an authenticator app, or enter the key there.</p>
      <svg
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label="QR code for an authenticator app"
        className="size-44 rounded-card"
        shapeRendering="crispEdges"
      >
        {/* Cameras read dark on light, in both themes. */}
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <div className="flex min-w-0 items-center gap-1 rounded-control border bg-sunken px-2 py-1">
        <Mono className="min-w-0 flex-1 wrap-anywhere text-primary">
          {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </Mono>
        <CopyButton text={secret} />
      </div>
    </div>
  )
}

/** Recovery codes, which are shown once. */
export function RecoveryCodes({ codes, user }: { codes: readonly string[]; user: string }) {
  const shown = codes.map(formatRecoveryCode)
  return (
    <div className="flex flex-col gap-4">
      <Banner variant="notice" title="Keep these codes">
        Each signs you in once if you lose your second factor. You won’t see them again.
      </Banner>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-card border bg-sunken p-3 min-[420px]:grid-cols-2"
      >
        {shown.map((code) => (
          <li key={code}>
            <Mono className="whitespace-nowrap text-primary">{code}</Mono>
          </li>
        ))}
      </ul>
      <div className="flex items-center gap-2">
        <Button
          icon={<Download size={16} strokeWidth={1.5} aria-hidden />}
          onClick={() =>
            saveFile(
              'steading-recovery-codes.txt',
              [`Recovery codes of ${user} at ${window.location.host}\n\n${shown.join('\n')}\n`],
              'text/plain',
            )
          }
        >
          Download codes
        </Button>
        <CopyButton text={shown.join('\n')} />
      </div>
    </div>
  )
}
