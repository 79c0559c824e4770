// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20} from '@openzeppelin/contracts/token/ERC20/ERC20.sol';
import {ERC20Permit} from '@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol';

/// An ERC-20 with eighteen decimals. Anyone can mint.
contract Book is ERC20Permit {
    constructor() ERC20('Book of Ethereum', 'BOOK') ERC20Permit('Book of Ethereum') {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
