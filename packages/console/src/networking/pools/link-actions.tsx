import type { ReactNode } from 'react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { queryClient, whenReread } from '../../data/api.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { defaultBeside, type Pool, type PoolKind, poolsOfSiloQuery, slotOf } from './pool-kind.ts'

type Linked = {
  pool: Pool
  /** The name or ID of the silo. */
  silo: string
  isDefault: boolean
}

const otherDefault = async (kind: PoolKind, pool: Pool, silo: string) => {
  try {
    const { items } = await queryClient.fetchQuery(poolsOfSiloQuery(kind, silo))
    return defaultBeside(items, pool)
  } catch {
    // The confirmation then omits the name of the replaced pool.
    return undefined
  }
}

/**
 * The row actions of a link.
 * @param from the page of the row. The page of a silo says "this silo"; the page of a pool says the
 * name of the silo, if known
 */
export function useLinkActions(
  kind: PoolKind,
  from: 'pool' | 'silo',
  nameOf: (silo: string) => string | undefined = () => undefined,
): (link: Linked) => MenuAction[] {
  const options = { onSuccess: whenReread }
  const update = useApiAction(kind.updateLink, options)
  const remove = useApiAction(kind.unlink, options)

  const siloCalled = (silo: string): ReactNode => {
    if (from === 'silo') return 'this silo'
    const name = nameOf(silo)
    return name ? (
      <>
        silo <Strong>{name}</Strong>
      </>
    ) : (
      'that silo'
    )
  }

  async function makeDefault({ pool, silo }: Linked) {
    const args = { path: { pool: pool.name, silo }, body: { isDefault: true } }
    const old = await otherDefault(kind, pool, silo)
    const slot = slotOf(pool)
    confirmAction({
      ...update(args),
      ...(old
        ? {
            title: 'Change default',
            errorTitle: 'Could not change default',
            body: (
              <>
                Are you sure you want to change the default {slot}{' '}
                {from === 'pool' && <>for {siloCalled(silo)} </>}from <Strong>{old.name}</Strong> to{' '}
                <Strong>{pool.name}</Strong>? {old.name} stays linked.
              </>
            ),
          }
        : {
            title: 'Make default',
            errorTitle: 'Could not make default',
            body: (
              <>
                Are you sure you want to make <Strong>{pool.name}</Strong> the default {slot} for{' '}
                {siloCalled(silo)}?
              </>
            ),
          }),
    })
  }

  const clearDefault = ({ pool, silo }: Linked) =>
    confirmAction({
      title: 'Clear default',
      errorTitle: 'Could not clear default',
      danger: true,
      body: (
        <>
          Are you sure you want <Strong>{pool.name}</Strong> to stop being the default{' '}
          {slotOf(pool)} for {siloCalled(silo)}? Users of the silo then have to name a pool when
          they ask for {kind.gives}.
        </>
      ),
      ...update({ path: { pool: pool.name, silo }, body: { isDefault: false } }),
    })

  function unlink({ pool, silo }: Linked) {
    const { action, ...rest } = remove({ path: { pool: pool.name, silo } })
    const inUse = `This fails while ${kind.gives} of the pool are in use in the silo.`
    confirmAction({
      danger: true,
      ...rest,
      ...(from === 'pool'
        ? {
            title: 'Unlink silo',
            errorTitle: 'Could not unlink silo',
            action,
            body: (
              <>
                Are you sure you want to unlink {siloCalled(silo)} from <Strong>{pool.name}</Strong>
                ? Its users then cannot allocate {kind.gives} from this pool. {inUse}
              </>
            ),
          }
        : {
            title: 'Unlink pool',
            errorTitle: 'Could not unlink pool',
            action: async () => {
              await action()
              addToast(`${kind.Words} unlinked`)
            },
            body: (
              <>
                Are you sure you want to unlink <Strong>{pool.name}</Strong>? {inUse}
              </>
            ),
          }),
    })
  }

  return (link) => [
    link.isDefault
      ? {
          label: 'Clear default',
          calls: kind.updateLink,
          danger: true,
          onAction: () => clearDefault(link),
        }
      : { label: 'Make default', calls: kind.updateLink, onAction: () => void makeDefault(link) },
    { label: 'Unlink', calls: kind.unlink, danger: true, onAction: () => unlink(link) },
  ]
}
