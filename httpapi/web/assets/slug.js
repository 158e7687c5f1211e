import { live } from './live.js';

live();
