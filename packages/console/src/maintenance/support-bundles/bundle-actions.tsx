import type { SupportBundleInfo } from '@steading/api/client'
import { bundleCannotDelete, bundleCannotDownload } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { seed, whenReread } from '../../data/api.ts'
import { download } from '../../page/download.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { addToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { downloadPath, named } from './queries.ts'

export const bundleDocs = {
  topic: 'support bundles',
  summary:
    'A support bundle is a zip file with data for finding faults: versions, configuration, inventory, states, the audit log and the log of the servers. It holds no passwords, keys or tokens.',
}

/**
 * Actions on a bundle, in its row and on its page.
 * @param onDeleted leaves the page
 */
export function useBundleActions(
  onDeleted?: () => Promise<unknown>,
): (bundle: SupportBundleInfo) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useApiAction('supportBundleDelete', {
    onSuccess: async () => {
      addToast({ content: 'Support bundle is being deleted' })
      await onDeleted?.()
      await whenReread()
    },
  })
  return (bundle) => {
    const { id, state } = bundle
    const { name } = named(bundle)
    return [
      {
        label: 'Download',
        disabledReason: bundleCannotDownload(state),
        onAction: () => void download(downloadPath(id), `${name}.zip`),
      },
      {
        label: 'Edit comment',
        calls: 'supportBundleUpdate',
        onAction: () => {
          // The panel opens at once with the current data.
          seed('supportBundleView', { path: { bundleId: id } }, bundle)
          void navigate({ to: '/system/support-bundles/$bundle/edit', params: { bundle: id } })
        },
      },
      {
        label: state === 'collecting' ? 'Cancel and delete' : 'Delete',
        calls: 'supportBundleDelete',
        danger: true,
        disabledReason: bundleCannotDelete(state),
        onAction: () =>
          confirmDelete({
            kind: 'support bundle',
            name,
            extra: state === 'collecting' ? 'Its collection ends.' : undefined,
            ...remove({ path: { bundleId: id } }),
          }),
      },
    ]
  }
}
