import type { UserAccess } from '@steading/api/client'
import { kindTable, type KindName } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Check, User } from 'lucide-react'
import { apiQuery } from '../../data/api.ts'
import { messageOf } from '../../data/errors.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { SideModal } from '../../ui/side-modal.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { AccessQuestion } from './ask-access.ts'
import { Roles } from './roles.tsx'

type Props = { asked: AccessQuestion & { of: 'user' }; onDismiss: () => void }

/** A user's permissions, here and everywhere, with the roles that grant them. */
export default function UserAccessPanel({ asked, onDismiss }: Props) {
  const { id: userId, name, project } = asked
  const everywhere = useQuery(apiQuery('userAccessView', { path: { userId } }))
  const here = useQuery({
    ...apiQuery('userAccessView', { path: { userId }, query: { project } }),
    enabled: project !== undefined,
  })
  const shown = project === undefined ? everywhere : here
  const error = everywhere.error ?? here.error
  return (
    <SideModal
      title="Access"
      subtitle={
        <>
          <User size={16} strokeWidth={1.5} aria-hidden /> {name}
        </>
      }
      onDismiss={onDismiss}
      footer={<Button onClick={onDismiss}>Close</Button>}
    >
      <PropertiesTable className="shrink-0">
        <PropertiesTable.IdRow id={userId} />
      </PropertiesTable>
      {error && <Banner variant="error">{messageOf(error)}</Banner>}
      {!error && !(everywhere.data && shown.data) && (
        <p className="flex items-center gap-2 text-tertiary">
          <Spinner /> Loading…
        </p>
      )}
      {everywhere.data && (
        <section className="flex flex-col gap-2">
          <h3 className="font-medium">Roles</h3>
          <Roles {...everywhere.data} />
        </section>
      )}
      {shown.data && (
        <Permitted {...shown.data} where={project ? `project ${project}` : 'the silo'} />
      )}
    </SideModal>
  )
}

const actionLabels = { read: 'See', create: 'Add to it', modify: 'Change' } as const
type ShownAction = keyof typeof actionLabels
const shownActions = Object.keys(actionLabels) as ShownAction[]

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function Permitted({ permitted, where }: UserAccess & { where: string }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium">May do in {where}</h3>
      <div className="overflow-hidden rounded-card border">
        <table className="w-full text-start" aria-label={`May do in ${where}`}>
          <thead>
            <tr className="border-b bg-raised text-xs text-secondary">
              <th className="px-3 py-2 text-start font-medium">Kind</th>
              {shownActions.map((action) => (
                <th key={action} className="px-2 py-2 text-center font-medium">
                  {actionLabels[action]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {permitted.map(({ kind, actions }) => (
              <tr key={kind} className="border-b last:border-b-0">
                <th scope="row" className="px-3 py-1.5 text-start font-normal">
                  {capitalized(kindTable[kind as KindName].words)}
                </th>
                {shownActions.map((action) => (
                  <td key={action} className="px-2 py-1.5 text-center">
                    {actions.includes(action) ? (
                      <Check
                        size={16}
                        strokeWidth={1.5}
                        className="inline text-green-text"
                        aria-label="yes"
                      />
                    ) : (
                      <span className="text-tertiary" aria-label="no" role="img">
                        –
                      </span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
