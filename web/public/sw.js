/** Shows notifications, and brings the table back when one is tapped. It keeps nothing: the server's files are always the right ones. */

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});

async function show(address) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find((one) => one.url === address);
  if (page) await page.focus();
  else await clients.openWindow(address);
}
