import { plain, type Probes } from './probe.ts'
import { ids } from './world.ts'

export const usersProbes = {
  current_user_view: plain,
  current_user_groups: plain,
  user_list: plain,
  user_view: { args: () => ({ params: { user_id: ids.user } }) },
  group_list: plain,
  group_view: { args: () => ({ params: { group_id: ids.group } }) },
} satisfies Partial<Probes>
