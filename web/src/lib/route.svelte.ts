/** Which page is shown, by its address. */

export type Route =
  | { page: 'home' }
  | { page: 'table'; table: string; invite: string }
  | { page: 'claim'; table: string; code: string }
  | { page: 'replay'; table: string; number: number };

export function routeOf(path: string, hash: string): Route {
  const [, kind = '', table = '', number = ''] = path.split('/');
  const secret = hash.slice(1);
  if (kind === 't' && table) return { page: 'table', table, invite: secret };
  if (kind === 'd' && table) return { page: 'claim', table, code: secret };
  if (kind === 'r' && table && /^[1-9]\d*$/.test(number)) return { page: 'replay', table, number: Number(number) };
  return { page: 'home' };
}

class Place {
  route: Route = $state.raw({ page: 'home' });
  /** Whether the page that comes is to have the focus, as the one that had it is gone. */
  isComing = false;

  constructor() {
    if (typeof location === 'undefined') return;
    this.read();
    addEventListener('popstate', () => {
      this.isComing = true;
      this.read();
    });
  }

  go(address: string): void {
    history.pushState(null, '', address);
    this.isComing = true;
    this.read();
    scrollTo(0, 0);
  }

  private read(): void {
    this.route = routeOf(location.pathname, location.hash);
  }
}

export const place = new Place();

/** On the heading of a page: whoever came here by a link goes on from it, and hears it. */
export function arrived(heading: HTMLElement): void {
  if (!place.isComing) return;
  place.isComing = false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
