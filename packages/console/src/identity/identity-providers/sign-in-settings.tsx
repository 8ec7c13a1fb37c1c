import type { SamlSignInSettings } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiQuery } from '../../data/api.ts'
import { OptionalValue } from '../../page/query-error.tsx'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useReplacingAction } from '../../workspace/as-code/replacing-action.ts'

/** A setting with two values. */
type Setting = {
  label: string
  /** The present value. */
  text: (settings: SamlSignInSettings) => string
  /** Label of the button. */
  change: string
  /** The settings with the other value. */
  changed: (settings: SamlSignInSettings) => SamlSignInSettings
  /** The question before a change, and the toast after it. */
  question: (
    to: SamlSignInSettings,
    provider: string,
  ) => { title: string; body: ReactNode; danger?: boolean }
  errorTitle: string
  toast: (to: SamlSignInSettings) => string
}

const begin: Setting = {
  label: 'Sign-ins begin',
  text: ({ idpInitiated }) =>
    idpInitiated ? 'On the sign-in page or at the provider' : 'On the sign-in page',
  change: 'Change',
  changed: (settings) => ({ ...settings, idpInitiated: !settings.idpInitiated }),
  question: ({ idpInitiated }, provider) =>
    idpInitiated
      ? {
          title: 'Allow sign-ins that the provider begins',
          body: (
            <>
              <p>
                Users of <Strong>{provider}</Strong> can then open the console from the list of
                applications of the provider.
              </p>
              <p className="mt-2">
                Such responses are unsolicited. A malicious page can therefore submit one issued to
                its author, and sign a visitor in as the author. Allow it only if your users need
                it.
              </p>
            </>
          ),
          danger: true,
        }
      : {
          title: 'Require the sign-in page',
          body: (
            <>
              The console then refuses users who come from the list of applications of{' '}
              <Strong>{provider}</Strong>, and tells them to begin on the sign-in page.
            </>
          ),
        },
  errorTitle: 'Could not change where sign-ins begin',
  toast: ({ idpInitiated }) =>
    idpInitiated
      ? 'Sign-ins may begin at the identity provider'
      : 'Sign-ins begin on the sign-in page only',
}

const separator: Setting = {
  label: 'Groups',
  text: ({ commasInGroups }) => (commasInGroups ? 'Names contain commas' : 'Separated by commas'),
  change: 'Change separator',
  changed: (settings) => ({ ...settings, commasInGroups: !settings.commasInGroups }),
  question: ({ commasInGroups }) =>
    commasInGroups
      ? {
          title: 'Keep commas in group names',
          body: 'From the next sign-in of each user, a value such as “CN=admins,OU=cloud” is one group.',
        }
      : {
          title: 'Separate groups at commas',
          body: 'From the next sign-in of each user, a value such as “admins,ops” is two groups.',
        },
  errorTitle: 'Could not change how groups are separated',
  toast: ({ commasInGroups }) =>
    commasInGroups ? 'Group names contain commas' : 'Groups are separated by commas',
}

type Props = { silo: string; provider: string }

/** Rows with the settings of a SAML provider about sign-ins, and buttons that change them. */
export const SignInSettings = (props: Props) =>
  [begin, separator].map((setting) => (
    <PropertiesTable.Row key={setting.label} label={setting.label}>
      <Value {...props} setting={setting} />
    </PropertiesTable.Row>
  ))

function Value({ silo, provider, setting }: Props & { setting: Setting }) {
  const args = { path: { provider }, query: { silo } }
  const read = apiQuery('samlSignInSettingsView', args)
  const settings = useQuery(read)
  const update = useReplacingAction('samlSignInSettingsUpdate', (to) => {
    addToast(setting.toast(to))
  })
  const change = (shown: SamlSignInSettings) => {
    const body = setting.changed(shown)
    confirmAction({
      ...setting.question(body, provider),
      errorTitle: setting.errorTitle,
      ...update({ ...args, body }, { shown, read }),
    })
  }
  return (
    <OptionalValue by={settings}>
      {(shown) => (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>{setting.text(shown)}</span>
          <Button
            size="sm"
            variant="secondary"
            calls="samlSignInSettingsUpdate"
            onClick={() => change(shown)}
          >
            {setting.change}
          </Button>
        </span>
      )}
    </OptionalValue>
  )
}
