export const receiverDocs = {
  topic: 'receivers',
  summary:
    'A receiver gets the alerts that it subscribes to, as requests to its URL. Each is signed with its secrets, and tried again if it is not answered with a status of 2xx.',
}
