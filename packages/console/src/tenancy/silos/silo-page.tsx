import type { SiloIdentityMode } from '@steading/api/client'
import { ResourceHeader } from '../../page/resource-header.tsx'
import { useNavigate } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { PageTabs } from '../../page/page-tabs.tsx'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { PhoneDisclosure } from '../../ui/phone-disclosure.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { siloQuery, siloTabs, useSiloParam } from './queries.ts'
import { SiloSetup } from './setup.tsx'
import { useSiloActions, siloSummary } from './silo-actions.tsx'

/** Where the users of a silo come from. */
const usersOf: Record<SiloIdentityMode, { from: string; meaning: string }> = {
  saml_jit: {
    from: 'Identity provider',
    meaning: 'Users are created when they first sign in',
  },
  saml_scim: {
    from: 'Identity provider',
    meaning: 'The identity provider creates and removes users over SCIM',
  },
  local_only: {
    from: 'Passwords',
    meaning: 'Users have passwords here, and are created by administrators',
  },
}

export function SiloPage() {
  const params = { silo: useSiloParam() }
  const { data: silo } = usePrefetchedQuery(siloQuery(params.silo))
  const navigate = useNavigate()
  const actions = useSiloActions(() => void navigate({ to: '/system/silos' }))
  const star = useStarAction('silo')
  const history = useHistoryAction('silo')
  return (
    <>
      <ResourceHeader
        title={silo.name}
        icon={<Building2 strokeWidth={1.5} aria-hidden />}
        kind="silo"
        thing={silo}
        meta={
          <>
            <span {...tooltip(usersOf[silo.identityMode].meaning)}>
              <Tag>{usersOf[silo.identityMode].from}</Tag>
            </span>
            {!silo.discoverable && <Tag>not discoverable</Tag>}
          </>
        }
      >
        <DocsPopover topic="silos" summary={siloSummary} />
        <RefreshButton onRefresh={refetchShown} />
        <ActionMenu
          label="Silo actions"
          actions={[
            copyAction('Copy ID', silo.id),
            ...star(silo),
            ...history(silo),
            ...actions(silo),
          ]}
        />
      </ResourceHeader>
      <SiloSetup silo={silo} named={params.silo} />
      <PhoneDisclosure label="Details">
        <div className="px-(--gutter) pb-5">
          <PropertiesTable columns={2} rows={2}>
            <PropertiesTable.IdRow id={silo.id} />
            <PropertiesTable.DescriptionRow description={silo.description} />
            <PropertiesTable.DateRow label="Created" date={silo.timeCreated} />
            <PropertiesTable.DateRow label="Last Modified" date={silo.timeModified} />
          </PropertiesTable>
        </div>
      </PhoneDisclosure>
      <PageTabs of={siloTabs} params={params} group={`Silo '${silo.name}'`} />
    </>
  )
}
