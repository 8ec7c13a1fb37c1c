import type { IpPool, SubnetPool } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { seed, whenReread } from '../../data/api.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import type { PoolKind } from './pool-kind.ts'

export const poolDocs = {
  system_ip_pool: {
    topic: 'IP pools',
    summary:
      'An IP pool holds ranges of addresses. The silos that it is linked to allocate external IPs from it.',
  },
  system_subnet_pool: {
    topic: 'subnet pools',
    summary:
      'A subnet pool holds networks. The silos that it is linked to allocate external subnets from it.',
  },
} as const satisfies Record<PoolKind['thing'], { topic: string; summary: string }>

type Page = {
  /** Why the pool cannot be deleted, as far as the page knows. */
  cannotDelete: string | undefined
  /** Leaves the page. */
  onDeleted: () => Promise<unknown>
}

/** The actions of a pool, in its row and on its page. */
export function usePoolActions(
  kind: PoolKind,
  page?: Page,
): (pool: IpPool | SubnetPool) => MenuAction[] {
  const navigate = useNavigate()
  const deletion = useDeletion()
  const remove = useApiAction(kind.remove, {
    onSuccess: async (_, { path }) => {
      doneToast(kind.words === 'IP pool' ? 'Pool' : kind.Words, path.pool, 'deleted')
      await page?.onDeleted()
      await whenReread()
    },
  })
  return (pool) => [
    {
      label: 'Edit',
      calls: kind.update,
      onAction: () => {
        // Seeds the panel, so that it opens at once.
        seed(kind.view, { path: { pool: pool.name } }, pool)
        void navigate({ to: kind.paths.edit, params: { pool: pool.name } })
      },
    },
    deletion({
      kind: kind.thing,
      noun: kind.words,
      id: pool.id,
      name: pool.name,
      cannot: page?.cannotDelete,
      extra: 'It is unlinked from all silos.',
      leaveTo: page && kind.paths.list,
      ...remove({ path: { pool: pool.name } }),
    }),
  ]
}
