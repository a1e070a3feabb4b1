import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { preconnect } from './lib/preconnect.svelte';
import { applySettings } from './lib/settings.svelte';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no element for the app.');
applySettings();
preconnect();
mount(App, { target: root });
