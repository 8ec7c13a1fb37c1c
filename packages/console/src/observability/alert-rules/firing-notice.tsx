import type { FiringAlert } from '@steading/api/client'
import { conditionWords, counted } from '@steading/api/rules'
import { pathTo } from '../../data/addresses.ts'
import { Banner } from '../../ui/banner.tsx'
import { TextLink } from '../../ui/link.tsx'

/** Maximum number of rules named in a notice. */
const NAMED = 5

const pathOf = ({ ruleName: alertRule, projectName: project }: FiringAlert) =>
  project === null
    ? pathTo('/system/alert-rules/$alertRule', { alertRule })
    : pathTo('/projects/$project/alert-rules/$alertRule', { project, alertRule })

type NoticeProps = { alerts: FiringAlert[]; more: boolean; namesProjects: boolean }

/** The firing rules, each with a link. */
export default function FiringNotice({ alerts, more, namesProjects }: NoticeProps) {
  const shown = alerts.slice(0, NAMED)
  const critical = alerts.some(({ severity }) => severity === 'critical')
  return (
    <div className="px-(--gutter) pb-4">
      <Banner
        variant={critical ? 'error' : 'notice'}
        title={`${counted(alerts.length, 'alert')} ${alerts.length === 1 ? 'is' : 'are'} firing`}
      >
        <ul>
          {shown.map((alert) => (
            <li key={alert.ruleId}>
              <TextLink to={pathOf(alert) as '/'}>{alert.ruleName}</TextLink>
              {namesProjects && alert.projectName !== null && ` in ${alert.projectName}`}:{' '}
              {conditionWords(alert, alert.tagFilter)}
            </li>
          ))}
        </ul>
        {(more || alerts.length > NAMED) && 'and more'}
      </Banner>
    </div>
  )
}
