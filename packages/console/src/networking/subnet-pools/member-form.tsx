import type { Args, IpVersion } from '@steading/api/client'
import {
  addressBits,
  cidrFieldProblem,
  cidrVersion,
  ipVersionName,
  prefixLengthsProblem,
} from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { usePrefetchedQuery } from '../../data/api.ts'
import { Banner } from '../../ui/banner.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { subnetPoolKind, poolQuery, usePoolParam } from '../pools/pool-kind.ts'

type Values = { subnet: string; min: number; max: number }

/** Why a text is not a valid network for a pool of this version. */
const subnetProblem = (version: IpVersion) => (text: string) => {
  const problem = cidrFieldProblem(text)
  const said = problem ? undefined : cidrVersion(text)
  return said && said !== version
    ? `${ipVersionName[said]} subnet not allowed in ${ipVersionName[version]} pool`
    : problem
}

const given = (value: number) => (Number.isNaN(value) ? undefined : value)

export function MemberAddForm() {
  const navigate = useNavigate()
  const pool = usePoolParam()
  const { ipVersion: version } = usePrefetchedQuery(poolQuery(subnetPoolKind, pool)).data
  const form = useForm<Values>({
    defaultValues: { subnet: '', min: Number.NaN, max: Number.NaN },
  })
  const close = () =>
    void navigate({ to: '/system/networking/subnet-pools/$pool', params: { pool } })
  const argsOf = ({ subnet, min, max }: Values): Args<'systemSubnetPoolMemberAdd'> => ({
    path: { pool },
    body: { subnet, minPrefixLength: given(min), maxPrefixLength: given(max) },
  })
  const add = useApiForm('systemSubnetPoolMemberAdd', argsOf, {
    onSuccess: () => {
      addToast('Member added')
      close()
    },
  })
  const longest = addressBits[version]
  const lengthProblem = (which: 'min' | 'max') => (_: number, values: Values) =>
    prefixLengthsProblem(which, version, {
      subnet: values.subnet,
      min: given(values.min),
      max: given(values.max),
    })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="member"
      title="Add member"
      submitLabel="Add member"
      {...add}
      onDismiss={close}
    >
      <Banner>
        This pool holds {ipVersionName[version]} subnets, whose prefixes are up to {longest} bits
        long.
      </Banner>
      <TextField
        name="subnet"
        control={form.control}
        required
        mono
        validate={subnetProblem(version)}
      />
      <NumberField
        name="min"
        label="Min prefix length"
        description="Prefix length of the largest subnet that can be allocated; by default that of the member"
        control={form.control}
        required={false}
        max={longest}
        validate={lengthProblem('min')}
      />
      <NumberField
        name="max"
        label="Max prefix length"
        description={`Prefix length of the smallest subnet that can be allocated; ${longest} by default`}
        control={form.control}
        required={false}
        max={longest}
        validate={lengthProblem('max')}
      />
    </SideModalForm>
  )
}
