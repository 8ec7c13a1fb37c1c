/**
 * Attributes of the published Terraform provider of this API, of the resources and data sources of
 * projects: facts of its documentation.
 */
interface Schema {
  required: string[]
  optional: string[]
}
const of = (required: string, optional = ''): Schema => ({
  required: required.split(' '),
  optional: optional.split(' ').filter(Boolean),
})

export const provider: Record<'data' | 'resource', Record<string, Schema>> = {
  resource: {
    oxide_project: of('name description'),
    oxide_vpc: of('project_id name description dns_name', 'ipv6_prefix'),
    oxide_vpc_subnet: of('vpc_id name description ipv4_block', 'ipv6_block'),
    oxide_vpc_router: of('vpc_id name description'),
    oxide_vpc_router_route: of('vpc_router_id name description destination target'),
    oxide_vpc_internet_gateway: of('vpc_id name description', 'cascade_delete'),
    oxide_vpc_firewall_rules: of('vpc_id rules'),
    oxide_floating_ip: of('project_id name description', 'ip ip_pool_id ip_version'),
    oxide_external_subnet: of(
      'project_id name description',
      'subnet prefix_len subnet_pool_id ip_version',
    ),
    oxide_external_subnet_attachment: of('external_subnet_id instance_id'),
    oxide_anti_affinity_group: of('project_id name description policy'),
    oxide_disk: of(
      'project_id name description size',
      'block_size disk_type source_image_id source_snapshot_id read_only',
    ),
    oxide_snapshot: of('project_id name description disk_id'),
    oxide_instance: of(
      'project_id name description ncpus memory',
      'hostname boot_disk_id disk_attachments network_interfaces external_ips ssh_public_keys anti_affinity_groups auto_restart_policy user_data start_on_create cpu_platform enable_jumbo_frames',
    ),
  },
  data: {
    oxide_vpc: of('project_name name'),
    oxide_vpc_subnet: of('project_name vpc_name name'),
    oxide_image: of('name', 'project_name'),
    oxide_ip_pool: of('name'),
    oxide_subnet_pool: of('name'),
    oxide_ssh_key: of('name'),
  },
}
