import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { PropertiesTable } from '../../ui/properties-table.tsx'

/** The user and groups of the last sign-in, as they were read from the provider's answer. */
export function LastSignIn({ provider }: { provider: string }) {
  const isKnown = useCapability('providerSignIns')
  const { data } = useQuery({
    ...apiQuery('identityProviderLastSignIn', { path: { providerId: provider } }),
    enabled: isKnown,
  })
  if (!isKnown || !data) return null
  const { signIn } = data
  return (
    <PropertiesTable className="shrink-0">
      {signIn ? (
        <>
          <PropertiesTable.DateRow date={signIn.time} label="Last sign-in" />
          <PropertiesTable.Row label="User">
            <span className="min-w-0 wrap-anywhere">{signIn.name}</span>
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Groups">
            {signIn.groups.length === 0 ? (
              'None'
            ) : (
              <ul className="min-w-0">
                {signIn.groups.map((group) => (
                  <li key={group} className="wrap-anywhere">
                    {group}
                  </li>
                ))}
              </ul>
            )}
          </PropertiesTable.Row>
        </>
      ) : (
        <PropertiesTable.Row label="Last sign-in">None yet</PropertiesTable.Row>
      )}
    </PropertiesTable>
  )
}
