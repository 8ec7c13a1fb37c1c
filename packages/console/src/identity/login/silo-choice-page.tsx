import { LOGIN_SILO } from '@steading/api/rules'
import { useSearch } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { NameField } from '../../forms/name-fields.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { LoginFrame } from './login-frame.tsx'

/** The control plane redirects to the silo's sign-in, or reports an unknown silo. */
function go(silo: string, redirectUri: string | undefined): void {
  const query = new URLSearchParams({ [LOGIN_SILO]: silo })
  if (redirectUri) query.set('redirect_uri', redirectUri)
  window.location.assign(`/login?${query}`)
}

/** Silos are entered, not listed: strangers should not see the tenants of a cloud. */
export function SiloChoicePage() {
  const { silo = '', redirect_uri: redirectUri } = useSearch({ from: '/login/choose' })
  const form = useForm({ defaultValues: { silo } })
  return (
    <LoginFrame>
      <h1 className="mb-2 text-2xl font-semibold tracking-[-0.022em]">Sign in to a silo</h1>
      <p className="mb-6 text-secondary">
        A silo is your organization in this cloud. Its administrator knows its name.
      </p>
      {silo && (
        <Banner variant="error" className="mb-5">
          There is no silo named <b className="wrap-anywhere">{silo}</b>.
        </Banner>
      )}
      <form
        noValidate
        autoComplete="off"
        className="flex flex-col gap-5"
        onSubmit={(event) =>
          void form.handleSubmit((values) => go(values.silo, redirectUri))(event)
        }
      >
        <NameField name="silo" label="Silo" control={form.control} />
        <Button variant="primary" type="submit" className="h-10! w-full">
          Continue
        </Button>
      </form>
    </LoginFrame>
  )
}
