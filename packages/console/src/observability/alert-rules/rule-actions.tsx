import type { AlertRule } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { useReplacingAction } from '../../workspace/as-code/replacing-action.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { type RuleOwner, rulePath, ruleQuery } from './queries.ts'

const reportDone = (name: string, what: string) => doneToast('Alert rule', name, what)

const details = {
  extra: 'Its history is deleted as well. Receivers are notified that its firings have ended.',
}

/**
 * Actions on a rule, in its row and on its page.
 * @param onDeleted leaves the page
 */
export function useRuleActions(
  owner: RuleOwner,
  onDeleted?: () => Promise<unknown>,
): (rule: AlertRule) => MenuAction[] {
  const navigate = useNavigate()
  const updated = ({ name, enabled }: AlertRule) => {
    reportDone(name, enabled ? 'enabled' : 'disabled')
  }
  const update = useReplacingAction('alertRuleUpdate', updated)
  const systemUpdate = useReplacingAction('systemAlertRuleUpdate', updated)
  const remove = useDeleteAction('alertRuleDelete', 'alert rule', { onDeleted })
  const systemRemove = useDeleteAction('systemAlertRuleDelete', 'alert rule', { onDeleted })
  return (rule) => {
    const { name, enabled } = rule
    const path = { alertRule: name }
    const body = { enabled: !enabled }
    // Compared without its states, which change with each evaluation.
    const by = (one: AlertRule) => one.enabled
    const replaced = { shown: rule, read: ruleQuery(owner, name), by }
    const turn =
      owner === undefined
        ? systemUpdate({ path, body }, replaced)
        : update({ path, query: { project: owner }, body }, replaced)
    const calls = owner === undefined ? 'systemAlertRuleUpdate' : 'alertRuleUpdate'
    return [
      {
        label: 'Edit',
        calls,
        onAction: () => void navigate({ to: `${rulePath(owner, name)}/edit` as '/' }),
      },
      {
        label: enabled ? 'Disable' : 'Enable',
        calls,
        onAction: () =>
          confirmAction({
            title: enabled ? 'Disable alert rule' : 'Enable alert rule',
            errorTitle: enabled ? 'Could not disable alert rule' : 'Could not enable alert rule',
            body: enabled
              ? 'It is no longer evaluated. Receivers are notified that its firings have ended.'
              : 'It is evaluated from now on, starting afresh.',
            ...turn,
          }),
      },
      owner === undefined
        ? systemRemove(name, { path }, details)
        : remove(name, { path, query: { project: owner } }, details),
    ]
  }
}
