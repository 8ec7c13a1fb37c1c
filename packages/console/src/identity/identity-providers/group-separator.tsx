import { useQuery } from '@tanstack/react-query'
import { useReplacingAction } from '../../workspace/as-code/replacing-action.ts'
import { invalidate } from '../../data/api.ts'
import { OptionalValue } from '../../page/query-error.tsx'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { signInSettingsQuery } from './queries.ts'

type Props = { silo: string; provider: string }

/** Shows whether commas separate the groups of a user, and a button to change that. */
export function GroupSeparator({ silo, provider }: Props) {
  const settings = useQuery(signInSettingsQuery(silo, provider))
  const update = useReplacingAction('samlSignInSettingsUpdate', ({ commasInGroups }) => {
    void invalidate('samlSignInSettingsView')
    addToast(commasInGroups ? 'Names of groups contain commas' : 'Commas separate groups')
  })
  return (
    <OptionalValue by={settings}>
      {(shown) => (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>{shown.commasInGroups ? 'Names contain commas' : 'Separated by commas'}</span>
          <Button
            size="sm"
            variant="secondary"
            calls="samlSignInSettingsUpdate"
            onClick={() =>
              confirmAction({
                title: shown.commasInGroups
                  ? 'Separate groups at commas'
                  : 'Take commas as part of group names',
                body: shown.commasInGroups
                  ? 'A value such as “admins,ops” then stands for two groups, from the next sign-in of each user.'
                  : 'A value such as “CN=admins,OU=cloud” then stands for one group, from the next sign-in of each user.',
                errorTitle: 'Could not change how groups are read',
                ...update(
                  {
                    path: { provider },
                    query: { silo },
                    body: {
                      idpInitiated: shown.idpInitiated,
                      commasInGroups: !shown.commasInGroups,
                    },
                  },
                  { shown, read: signInSettingsQuery(silo, provider) },
                ),
              })
            }
          >
            Change separator
          </Button>
        </span>
      )}
    </OptionalValue>
  )
}
