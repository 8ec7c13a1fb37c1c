import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { useLivePolling } from '../../data/live.ts'
import { questionOf } from './question.ts'
import type { QuestionSearch } from './search.ts'

/** The query for the answer to a question; undefined if the question is incomplete. */
export function answerQuery(project: string, search: QuestionSearch) {
  const args = questionOf(project, search)
  return args && apiQuery('reachabilityTest', args)
}

/** Disabled stand-in while there is no question. */
const noQuestion = apiQuery(
  'reachabilityTest',
  { body: { from: { type: 'internet' }, to: { type: 'internet' }, protocol: 'icmp' } },
  { enabled: false },
)

/** The answer to the question in the URL, kept up to date. */
export function useAnswer(project: string, search: QuestionSearch) {
  const refetchInterval = useLivePolling(10_000)
  const query = answerQuery(project, search)
  const { data, error, refetch } = useQuery({ ...(query ?? noQuestion), refetchInterval })
  return query ? { answer: data, error, refetch } : { answer: undefined, error: null, refetch }
}
