export const bundleDocs = {
  topic: 'support bundles',
  summary:
    'A support bundle is a zip file with what helps to find a fault: versions, configuration, inventory, states, the audit log and the log of the servers. It holds no passwords, keys or tokens.',
}
