import type { Silo } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { pathTo } from '../../data/addresses.ts'
import { useCapability } from '../../data/capabilities.ts'
import { StepList } from '../../observability/briefings/step-list.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { createStore } from '../../ui/store.ts'
import { storedList, storeList } from '../../ui/stored-list.ts'
import { setupQueries } from './queries.ts'
import { setupSteps } from './setup-steps.ts'

/** Key of the silos whose setup was dismissed in this browser. */
const KEY = 'silo-setup-dismissed'
/** Silos remembered at most; the oldest are forgotten first. */
const KEPT = 100

const stored = () => storedList(KEY) as string[]

const dismissed = createStore<readonly string[]>(stored())

function dismiss(id: string): void {
  dismissed.set([id, ...stored()].slice(0, KEPT))
  storeList(KEY, dismissed.get())
}

/** The facts about a silo; undefined until all are known. */
function useSetupFacts(silo: string, hasOidc: boolean) {
  const queries = setupQueries(silo)
  const users = useQuery(queries.users).data
  const providers = useQuery(queries.providers).data
  const oidcProviders = useQuery({ ...queries.oidcProviders, enabled: hasOidc }).data
  const pools = useQuery(queries.pools).data
  const utilization = useQuery(queries.utilization).data
  const policy = useQuery(queries.policy).data
  if (!users || !providers || !pools || !utilization || !policy) return undefined
  if (hasOidc && !oidcProviders) return undefined
  return {
    hasUsers: users.items.length > 0,
    hasProviders: providers.items.length > 0 || !!oidcProviders?.items.length,
    hasPools: pools.items.length > 0,
    quotas: utilization.allocated,
    policy,
  }
}

type SetupProps = {
  silo: Silo
  /** The silo as in the address of its page. */
  named: string
}

function OpenSteps({ silo, named }: SetupProps) {
  const hasOidc = useCapability('oidc')
  const facts = useSetupFacts(named, hasOidc)
  const steps = facts && setupSteps(silo, facts, hasOidc)
  if (!steps || steps.every(({ done }) => done)) return null
  return (
    <div className="px-(--gutter) pb-6">
      <StepList
        title="Set up this silo"
        steps={steps.map(({ links, ...step }) => ({
          ...step,
          links: links.map(({ label, to }) => (
            <LinkButton key={to} to={pathTo(to, { silo: named }) as '/'} size="sm">
              {label}
            </LinkButton>
          )),
        }))}
        onDismiss={() => dismiss(silo.id)}
      />
    </div>
  )
}

/** Steps of the setup of a silo, until all are done or the user dismisses the list. */
export function SiloSetup(props: SetupProps) {
  const supported = useCapability('overviews')
  const isDismissed = dismissed.useValue().includes(props.silo.id)
  return supported && !isDismissed && <OpenSteps {...props} />
}
