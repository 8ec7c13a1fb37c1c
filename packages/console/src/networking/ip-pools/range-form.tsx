import type { Args, IpVersion } from '@steading/api/client'
import { ipFieldProblem, ipVersion, ipVersionName } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { usePrefetchedQuery } from '../../data/api.ts'
import { Banner } from '../../ui/banner.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { ipPoolKind, poolQuery, usePoolParam } from '../pools/pool-kind.ts'

type Values = { first: string; last: string }

/** Why a text is not a valid address for a pool of this version. */
const problemOf = (version: IpVersion) => (text: string) => {
  const said = ipVersion(text)
  return said && said !== version
    ? `${ipVersionName[said]} address not allowed in ${ipVersionName[version]} pool`
    : ipFieldProblem(text)
}

export function RangeAddForm() {
  const navigate = useNavigate()
  const pool = usePoolParam()
  const { ipVersion: version } = usePrefetchedQuery(poolQuery(ipPoolKind, pool)).data
  const form = useForm<Values>({ defaultValues: { first: '', last: '' } })
  const close = () => void navigate({ to: '/system/networking/ip-pools/$pool', params: { pool } })
  const argsOf = (body: Values): Args<'systemIpPoolRangeAdd'> => ({ path: { pool }, body })
  const add = useApiForm('systemIpPoolRangeAdd', argsOf, {
    onSuccess: () => {
      addToast('IP range added')
      close()
    },
  })
  const validate = problemOf(version)
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="IP range"
      title="Add IP range"
      submitLabel="Add IP range"
      {...add}
      onDismiss={close}
    >
      <Banner>
        This pool holds {ipVersionName[version]} addresses. Both ends belong to the range, and the
        first address must not come after the last one.
      </Banner>
      <TextField
        name="first"
        description="First address in the range"
        control={form.control}
        required
        mono
        validate={validate}
      />
      <TextField
        name="last"
        description="Last address in the range"
        control={form.control}
        required
        mono
        validate={validate}
      />
    </SideModalForm>
  )
}
